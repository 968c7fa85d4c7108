"""The client side: Streamable HTTP, the tool table."""
