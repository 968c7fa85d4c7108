"""The `aagm` command."""
