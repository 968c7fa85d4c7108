"""What makes a process of it: sockets, the lock, the run file, readiness."""
