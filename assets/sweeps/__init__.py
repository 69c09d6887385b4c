"""The sweep: plan what is missing, failed or stale, buy it, record it."""
