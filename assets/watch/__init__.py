"""Looking after a project that runs by itself: what is left behind."""
