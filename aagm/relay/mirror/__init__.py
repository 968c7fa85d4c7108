"""The Macro Mirror: the world's macros as files that a person can edit."""
