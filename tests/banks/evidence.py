"""Evaluates the `evidence` of the shipped bank's items: the fact, read from a package that carries authoritative data.

An evidence is one Python expression; `mod("scipy.constants")` imports a module. Its value becomes text as follows:
a date or time is written day, month, year (`5 November 2024`), a float that is a whole number without a point,
anything else by `str`. Only tests evaluate evidence; loading a bank never does.
"""

from calendar import month_name
from datetime import date
from importlib import import_module


def evaluate(expression: str) -> str:
    """The value of `expression`, as the gold answer must read.

    Raises:
        ModuleNotFoundError: when a package of the extra `bank` is not installed.
    """
    return _text(eval(expression, {"mod": import_module}))


def _text(value: object) -> str:
    if isinstance(value, date):
        return f"{value.day} {month_name[value.month]} {value.year}"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
