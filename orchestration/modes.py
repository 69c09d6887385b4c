"""How the project was started: `make up` for production, everything else for a person who looks on."""

import os

MODE = "FACTSWEEP_MODE"
PRODUCTION = "production"


def in_production() -> bool:
    """Whether schedules and sensors that spend money or tell people are on by default."""
    return os.environ.get(MODE) == PRODUCTION
