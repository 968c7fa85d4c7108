"""JSON-RPC shapes and the one table of codes: pure."""
