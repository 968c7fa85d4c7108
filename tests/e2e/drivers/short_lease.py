"""twistd whose relay takes a listener for gone after two seconds instead of 45."""

from twisted.scripts.twistd import run

from aagm.relay.chat import lease, slot

lease.LEASE = slot.LEASE = 2.0
run()
