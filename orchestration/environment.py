"""Numbers that environment variables state. Imports no dagster: the health check reads one every minute."""

import os

from resources.types import ConfigurationError


def whole_number(variable: str, usual: int) -> int:
    """The number above 0 that a variable states; `usual` where it is not set.

    Raises:
        ConfigurationError: when it states none.
    """
    text = os.environ.get(variable) or str(usual)
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise ConfigurationError(f"{variable} is {text!r}; expected a whole number above 0, such as {usual}")
    return number


def webserver_port() -> int:
    """FACTSWEEP_PORT: where the webserver listens.

    Raises:
        ConfigurationError: when it is no port.
    """
    number = whole_number("FACTSWEEP_PORT", 3000)
    if number > 65535:
        raise ConfigurationError(f"FACTSWEEP_PORT is {number}; expected a port number such as 3000")
    return number
