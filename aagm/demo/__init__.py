"""The demo service: a simulated world with the real module."""
