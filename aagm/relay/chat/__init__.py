"""Chat and dispatch: queue, lease, tabs, modes, interrupts."""
