"""Units of measure: what a unit's name may mean, as a dimension and an exact factor to its base."""

from collections.abc import Sequence
from fractions import Fraction

from assets.grades.folding import Kind, Token

Reading = tuple[str, Fraction]

_PREFIXES = {"k": "1e3", "m": "1e-3", "c": "1e-2", "g": "1e9", "t": "1e12", "n": "1e-9", "μ": "1e-6", "u": "1e-6"}
_LONG_PREFIXES = {
    "kilo": "1e3",
    "milli": "1e-3",
    "centi": "1e-2",
    "mega": "1e6",
    "giga": "1e9",
    "tera": "1e12",
    "nano": "1e-9",
    "micro": "1e-6",
}
_PREFIXED = {
    "length": ("1", "m", "meter"),
    "mass": ("1e-3", "g", "gram"),
    "volume": ("1e-3", "l", "liter"),
    "power": ("1", "w", "watt"),
    "energy": ("1", "j", "joule"),
    "energy ": ("3600", "wh", "watt hour"),
    "voltage": ("1", "v", "volt"),
    "current": ("1", "a", "ampere"),
    "frequency": ("1", "hz", "hertz"),
    "pressure": ("1", "pa", "pascal"),
    "force": ("1", "n", "newton"),
    "data": ("8", "b", "byte"),
    "time": ("1", "s", "second"),
}
_OTHERS = """
length: inch=0.0254 inche=0.0254 ft=0.3048 foot=0.3048 feet=0.3048 yd=0.9144 yard=0.9144 mile=1609.344 mi=1609.344
length: nautical_mile=1852 light_year=9460730472580800 fathom=1.8288
mass: lb=0.45359237 pound=0.45359237 ounce=0.028349523125 oz=0.028349523125 tonne=1000 ton=1000 metric_ton=1000 t=1000
mass: megatonne=1e9 million_tonne=1e9 mt=1e9 kt=1e6 stone=6.35029318 ton=907.18474 ton=1016.0469088
time: sec=1 min=60 minute=60 h=3600 hr=3600 hour=3600 day=86400 week=604800 fortnight=1209600
calendar: month=1 year=12 yr=12 decade=120 century=1200 centurie=1200 millennium=12000 millennia=12000
area: square_meter=1 m2=1 m_^_2=1 sq_m=1 square_kilometer=1e6 km2=1e6 km_^_2=1e6 sq_km=1e6 hectare=1e4 ha=1e4
area: square_mile=2589988.110336 sq_mi=2589988.110336 sq_mile=2589988.110336 acre=4046.8564224
area: square_foot=0.09290304 square_feet=0.09290304 sq_ft=0.09290304 ft2=0.09290304
volume: cubic_meter=1 m3=1 m_^_3=1 cubic_centimeter=1e-6 cm3=1e-6 cc=1e-6 pint=0.56826125 pint=0.473176473
volume: gallon=4.54609 gallon=3.785411784
speed: m_/_s=1 meter_per_second=1 km_/_h=5/18 kph=5/18 kmh=5/18 kilometer_per_hour=5/18 kilometer_an_hour=5/18
speed: km_/_s=1000 kilometer_per_second=1000
speed: mph=0.44704 mile_per_hour=0.44704 mile_an_hour=0.44704 knot=463/900
celsius: °_c=1 °c=1 degree_celsiu=1 degree_c=1 celsiu=1 degree_centigrade=1 degree=1 °=1
fahrenheit: °_f=1 °f=1 degree_fahrenheit=1 degree_f=1 fahrenheit=1 degree=1 °=1
kelvin: kelvin=1 k=1
angle: degree=1 °=1 arcminute=1/60
percent: %=1 percent=1 per_cent=1 pct=1 per_mille=1/10 ‰=1/10
percentage_point: percentage_point=1 pp=1 basis_point=1/100 bp=1/100
usd: $=1 us_$=1 usd=1 dollar=1 u_dollar=1 us_dollar=1 american_dollar=1 buck=1 cent=1/100 ¢=1/100
aud: dollar=1 a_$=1 au_$=1 aud=1 australian_dollar=1
cad: dollar=1 c_$=1 ca_$=1 cad=1 canadian_dollar=1
gbp: £=1 gbp=1 pound=1 pound_sterling=1 british_pound=1 quid=1 penny=1/100 pence=1/100 p=1/100
eur: €=1 euro=1 eur=1 cent=1/100
jpy: ¥=1 yen=1 jpy=1
cny: ¥=1 yuan=1 cny=1 rmb=1
inr: ₹=1 rupee=1 inr=1
data: bit=1 mb=8e6 gigabit=1e9 megabit=1e6
power: mw=1e6 horsepower=745.69987158227022
frequency: mhz=1e6
energy: mwh=3.6e9 mj=1e6 calorie=4.184 kcal=4184 kilocalorie=4184
current: amp=1
pressure: mpa=1e6 bar=1e5 mbar=100 millibar=100 atmosphere=101325 atm=101325
"""
_LONGEST_NAME = 4
CURRENCY_SIGNS = frozenset("$£€¥₹")
_CURRENCIES = frozenset({"usd", "aud", "cad", "gbp", "eur", "jpy", "cny", "inr"})
# They may stand between a number and its unit and change nothing: thirty calendar days.
_QUALIFIERS = frozenset({"calendar", "consecutive", "full", "whole"})
# Names that are common words or letters: they count as units only right behind a number without white space.
_GLUED_ONLY = frozenset({"a", "b", "p", "n", "v", "k", "t", "c", "u", "pa", "na", "ma"})


def _table() -> dict[str, tuple[Reading, ...]]:
    readings: dict[str, list[Reading]] = {}
    for dimension, (factor, symbol, name) in _PREFIXED.items():
        base = Fraction(factor)
        for unit, prefixes in ((symbol, _PREFIXES), (name, _LONG_PREFIXES)):
            readings.setdefault(unit, []).append((dimension.strip(), base))
            for prefix, scale in prefixes.items():
                readings.setdefault(prefix + unit, []).append((dimension.strip(), base * Fraction(scale)))
    for line in _OTHERS.strip().splitlines():
        dimension, names = line.split(": ")
        for entry in names.split():
            name, factor = entry.split("=")
            readings.setdefault(name.replace("_", " "), []).append((dimension, Fraction(factor)))
    return {name: tuple(found) for name, found in readings.items()}


_UNITS = _table()
_FIRST_WORDS = frozenset(name.split()[0] for name in _UNITS)


def unit_named(words: Sequence[str]) -> tuple[Reading, ...] | None:
    """What a unit's name, given as folded words, may mean: "5 pounds" is a mass or money."""
    if _singular(words[0]) not in _FIRST_WORDS:
        return None
    return _UNITS.get(" ".join(_singular(word) for word in words))


def unit_at(read: Sequence[Token], at: int) -> tuple[tuple[Reading, ...], int] | None:
    """The longest unit name that starts at a token, and the index after it."""
    if at < len(read) and read[at].text == "-" and read[at].soft:
        at += 1
    if at < len(read) and read[at].text in _QUALIFIERS:
        at += 1
    if at >= len(read) or _singular(read[at].text) not in _FIRST_WORDS:
        return None
    for length in range(min(_LONGEST_NAME, len(read) - at), 0, -1):
        words = [token.text for token in read[at : at + length]]
        if length == 1 and words[0] in _GLUED_ONLY:
            return None
        if words[0] == "\n" or (read[at].kind is Kind.NUMBER and len(words[0]) > 3):
            return None
        if readings := unit_named(words):
            return readings, at + length
    return None


def is_currency(readings: Sequence[Reading]) -> bool:
    """Whether some reading is money."""
    return any(dimension in _CURRENCIES for dimension, _ in readings)


def _singular(word: str) -> str:
    word = word.replace("metre", "meter").replace("litre", "liter")
    return word[:-1] if len(word) > 2 and word.endswith("s") else word
