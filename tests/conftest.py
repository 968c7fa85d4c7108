"""What holds for all tests: they are the same each time, on however busy a machine."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Hypothesis would fail an example that takes 200 ms, as any does where the machine
# stands still, and would try others in each run.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")
