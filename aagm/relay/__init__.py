"""Policy: what may happen, in which order, and how it is taken back."""
