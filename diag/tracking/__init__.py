"""The projection of a study to MLflow: rebuilt from files at any time, into any tracking URI."""
