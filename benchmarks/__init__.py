"""What measures speed: `python -m benchmarks` prints a table. No part of the test run, and no verdict."""
