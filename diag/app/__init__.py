"""The application behind `python -m diag`: command line, modes, errors in words, what is shown."""
