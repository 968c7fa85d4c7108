"""Plug-ins: world macros that become tools, checked before and after they run."""
