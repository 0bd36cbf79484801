"""Commands that are no study, one module each; `diag.app_commands` finds them."""
