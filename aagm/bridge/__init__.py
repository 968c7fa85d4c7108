"""The Foundry side: sockets, hello, sessions, requests."""
