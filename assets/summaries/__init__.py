"""What is told of a sweep: its summary, and how two published sweeps differ."""
