"""What words of English questions are worth: fillers, asked kinds, format instructions, synonyms, ordinary words.

Words are folded and without apostrophes. A word stands in one of these lists only where leaving it out, or putting
its synonym, changes no question whose gold stays the same.
"""

from assets.grades.folding import word_set

# No "before", "without", "per", "than", "or", "must", "most" and the like here: they tell two questions apart.
FILLERS = word_set(
    "a an the of in on at by for to from into with as is was were are be been being do does did has have had having "
    "it its itself this that these those there their they them we our you your i my me "
    "which what who whom whose where when why how and then so can could will would id whats whos whens wheres "
    "please kindly exact exactly precise precisely specifically approximately approx roughly about around ca circa "
    "currently presently today now also name named called titled entitled known give tell identify provide mention "
    "answer question during within upon via"
)

# What a question asks for: a noun that one of two questions may leave out, though both may not name different ones.
KINDS = {
    "year": "year",
    "date": "date",
    "month": "month",
    "day": "day",
    "decade": "decade",
    "century": "century",
    "city": "city",
    "town": "town",
    "village": "village",
    "country": "country",
    "nation": "country",
    "state": "state",
    "county": "county",
    "province": "province",
    "continent": "continent",
    "person": "person",
    "individual": "person",
    "man": "man",
    "woman": "woman",
    "scientist": "scientist",
    "author": "author",
    "writer": "author",
    "number": "number",
    "place": "place",
    "location": "place",
    "organization": "organization",
    "organisation": "organization",
    "company": "company",
    "firm": "company",
}
# These two say nothing wherever they stand; the others only behind "which" or "what".
ALWAYS_KINDS = frozenset({"year", "date"})
ASKING = word_set("which what")
NAMING = word_set("name identify give state provide tell")

INSTRUCTION_STARTS = word_set(
    "answer answers give provide state express report round respond reply write use specify include enter please your "
    "format return in as to only just briefly full question e spell name be keep"
)
INSTRUCTION_WORDS = (FILLERS - word_set("which what who whom whose where when why how")) | word_set(
    "year month day date dates number numbers numeric numeral numerals arabic digit digits figure figures word words "
    "names full family surname forename answers format decimal decimals place places nearest whole integer short "
    "shortly brief briefly concise concisely only just unit units sentence yyyy mm dd city country person form spelled "
    "iso value single complete term phrase letters letter write state express report round respond reply use specify "
    "include enter return spell be keep one two three four five or not no any if and official english e g eg response"
)

_GROUPS = """
found founded founder founders establish established establishing
create created creator creators
invent invented inventor inventors
discover discovered discoverer discoverers
write wrote written writes authored author penned
direct directed director
compose composed composer
design designed designer
paint painted painter
develop developed developer
locate located situated
large largest biggest greatest
small smallest littlest
maximum max maximal highest
minimum min minimal lowest
company firm corporation
film movie movies
purchase purchased buy bought
start started starts begin began begun begins commence commenced
end ended ends finish finished concluded
win won wins winner winners
receive received recipient
country nation
die died dies death deceased
born birth birthday birthplace birthdate
physician doctor
car automobile
child children
man men
woman women
person people individual individuals
surname lastname
require required requires need needed needs
use used uses utilize utilized
allow allowed allows permit permitted permits
job occupation profession
organization organisation
percent percentage pct
publish published
quick fast
not isnt wasnt arent werent doesnt didnt dont cant cannot couldnt hasnt havent hadnt wont wouldnt shouldnt
section sec
article art
versus vs
volume vol
kilometer km
centimeter cm
millimeter mm
kilogram kg
milligram mg
microgram mcg
kilobyte kb
gigabyte gb
celsius centigrade
hour hr hrs
mile mi
usa us
uk
january jan
february feb
april apr
august aug
september sep sept
october oct
november nov
december dec
"""
SYNONYMS = {word: group[0] for group in (line.split() for line in _GROUPS.strip().splitlines()) for word in group}
# Symbols that are letters elsewhere: units only behind a number.
UNIT_LETTERS = {"m": "meter", "g": "gram", "s": "second", "h": "hour", "l": "liter", "w": "watt", "v": "volt"}
SYMBOLS = {
    "%": "percent",
    "§": "section",
    "$": "usd",
    "£": "gbp",
    "€": "euro",
    "¥": "yen",
    "₹": "rupee",
    "°": "degree",
    "#": "number",
    "№": "number",
}
SILENT = frozenset(".,;:!?'\"()[]{}-–—/\\&_|\n¿¡。、，？！：；（）「」『』《》؟،؛…‥·•„“”‘’«»‹›~")

_PHRASES: str = """
how many = count
what number of = count
total number of = count
the number of = count
how long = length
how tall = height
how high = height
how old = age
how far = distance
how deep = depth
how heavy = weight
how fast = speed
how big = size
how large = size
how wide = width
how often = frequency
how much =
united states of america = usa
united states = usa
united kingdom = uk
european union = eu
united nations = un
set up = found
took place =
take place =
takes place =
happened =
occurred =
passed away = die
who was awarded = receive
who were awarded = receive
date of birth = born
birth date = born
place of birth = born
date of death = die
last name = surname
family name = surname
first name = forename
given name = forename
full name =
capital city = capital
known as =
referred to as =
as well as =
motion picture = film
per cent = percent
can you tell me =
could you tell me =
do you know =
tell me =
tell us =
let me know =
i would like to know =
id like to know =
what type of =
what kind of =
what sort of =
which type of =
which kind of =
which one of =
one of =
us dollar = usd
us dollars = usd
us $ = usd
dollars = usd
dollar = usd
euros = euro
eur = euro
° c = celsius
degrees celsius = celsius
degree celsius = celsius
degrees c = celsius
° f = fahrenheit
degrees fahrenheit = fahrenheit
degree fahrenheit = fahrenheit
"""


def _phrases() -> dict[str, list[tuple[list[str], str]]]:
    """Phrases by their first word, the longest first."""
    by_first: dict[str, list[tuple[list[str], str]]] = {}
    for line in _PHRASES.strip().splitlines():
        written, _, meaning = line.partition("=")
        words = written.split()
        by_first.setdefault(words[0], []).append((words, meaning.strip()))
    for listed in by_first.values():
        listed.sort(key=lambda phrase: -len(phrase[0]))
    return by_first


PHRASES = _phrases()
