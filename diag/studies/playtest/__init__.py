"""The playtest study (rq8): does playing a build, and remembering, help to repair it? docs/studies/playtest.md."""
