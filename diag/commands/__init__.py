"""Commands that are no study, one module each; `diag.app.dispatch` finds them."""
