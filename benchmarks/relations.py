"""What the invented questions are about: relations with several askings each, and the words that fill them."""

from dataclasses import dataclass


def _words(listed: str) -> tuple[str, ...]:
    """Words parted by spaces, or phrases parted by `|`."""
    return tuple(listed.split("|" if "|" in listed else None))


@dataclass(frozen=True)
class Relation:
    """What is asked of a subject.

    Attributes:
        subject: place, person, body or one of GROUPS.
        number: what kind of number the question holds: year, section, version, small; none where empty.
        gold: year, count, city, person, date or one of GROUPS.
        asks: askings of one gold; the second is the first in another order, the others use other words.
        fixed: words of the askings that are a subject of their own, so that no typo is planted in them.
    """

    subject: str
    number: str
    gold: str
    asks: tuple[str, ...]
    fixed: str = ""


STARTS = _words(
    "Mar Kel Tor Bran Hal Ost Wen Dar Fal Gren Lin Sol Var Esk Rav Ulm Nor Thal Bel Cor Dun Ash Mor Rin Sel Tam Vel "
    "Zan Hol Jar Kir Lor"
)
TAILS = _words(
    "venholt wick burg stead mouth dale ford anna etta ovia inga marsh hurst gate ham by thorpe field haven bridge "
    "minster ton worth brook leigh combe stow mere firth ness"
)
SURNAMES = _words(
    "Abernathy Brandauer Castellan Dufresne Eklund Fontaine Grünwald Halvorsen Ibarra Jansson Kowalczyk Lindqvist "
    "Moreau Nakamura Okafor Petrov Quintero Rasmussen Sandoval Takahashi Ulrich Valdés Wójcik Yamada Zeller Bergström "
    "Anders Andersson Müller Keller Koller Castello Morea Petrova Rasmus Ulrik"
)
CITIES = _words("Geneva Lisbon Oslo Kraków Nairobi Quito Hanoi Perth Turin Ghent Lyon Bergen Austin Lima Accra")
GROUPS = {
    "body": _words(
        "Institute of Geology|Maritime Union|Observatory|Chess Federation|Botanical Society|Savings Bank|Canal Company|"
        "Academy of Music|Stock Exchange|Medical College|Railway Board|Press Council|Football Club|Water Authority"
    ),
    "substance": _words(
        "carbon nitrogen oxygen silicon copper sodium lithium ethane ethene propane propene butane benzene toluene "
        "methanol methanal ethanol phenol aniline glycerol urea glucose fructose lactose maltose cellulose sulfite "
        "nitrate nitrite chlorate chlorite phosphate borax alum quinine caffeine nicotine codeine morphine"
    ),
    "drug": _words(
        "prednisone prednisolone captopril enalapril lisinopril ramipril atenolol bisoprolol metoprolol warfarin "
        "heparin digoxin insulin metformin glipizide glyburide amoxicillin ampicillin cefazolin cefoxitin doxycycline "
        "fluconazole ketoconazole omeprazole lansoprazole diazepam lorazepam sertraline fluoxetine lithium"
    ),
    "act": _words(
        "Maritime Salvage Act|Savings Banks Act|Inland Waters Act|Patents Act|Sale of Goods Act|Companies Act|"
        "Evidence Act|Trustee Act|Limitation Act|Land Registration Act|Road Traffic Act|Customs Act|Wills Act"
    ),
    "program": _words(
        "Polyforge Gitlane Tarnish Quillbase Mapstead Nodewell Parsley Redwing Silverqueue Tensorlite Buildwright "
        "Cachepot Driftlog Emberfs Flowgate"
    ),
    "month": _words("January February March April May June July August September October November December"),
    "colour": _words("blue green violet white yellow"),
    "term": _words("a fine|a written notice|the register|a permit|a licence|an appeal"),
    "file": _words("setup.cfg|lock.toml|build.yaml|cache.db|index.json"),
}

RELATIONS = (
    Relation(
        "place",
        "",
        "year",
        (
            "In which year was the town of {s} founded?",
            "The town of {s} was founded in which year?",
            "When was the town of {s} established?",
            "What year was the town of {s} founded in? Give the year.",
        ),
    ),
    Relation(
        "body",
        "",
        "year",
        (
            "In which year was the {s} established?",
            "The {s} was established in which year?",
            "When was the {s} founded?",
            "What year was the {s} founded in?",
        ),
    ),
    Relation(
        "body",
        "year",
        "city",
        (
            "Which city hosted the {n} congress of the {s}?",
            "In {n}, which city hosted the congress of the {s}?",
            "What city hosted the congress of the {s} in the year {n}?",
        ),
    ),
    Relation(
        "body",
        "year",
        "person",
        (
            "Who was elected president of the organisation {s} in {n}?",
            "In {n}, who was elected president of the organisation {s}?",
            "Can you tell me who was elected president of the organization {s} in {n}?",
        ),
    ),
    Relation(
        "body",
        "year",
        "count",
        (
            "How many members did the {s} have in {n}?",
            "In {n}, how many members did the {s} have?",
            "What was the total number of members that the {s} had in {n}?",
        ),
    ),
    Relation(
        "person",
        "",
        "date",
        (
            "On what date was the painter {s} born?",
            "The painter {s} was born on what date?",
            "When was the painter {s} born?",
            "What is the date of birth of the painter {s}?",
        ),
    ),
    Relation(
        "person",
        "year",
        "city",
        (
            "In which city did the physicist {s} lecture in {n}?",
            "In {n}, in which city did the physicist {s} lecture?",
            "In what city did the physicist {s} lecture in the year {n}?",
        ),
    ),
    Relation(
        "person",
        "small",
        "count",
        (
            "How many prizes did the {n} students of {s} receive?",
            "The {n} students of {s} received how many prizes?",
            "What number of prizes did the {n} students of {s} receive?",
        ),
    ),
    Relation(
        "substance",
        "",
        "colour",
        (
            "What is the colour of the flame test for {s}?",
            "For {s}, what is the colour of the flame test?",
            "Which colour is the flame test for {s}?",
        ),
        "flame",
    ),
    Relation(
        "substance",
        "year",
        "count",
        (
            "What quantity of {s} was produced at the centre in {n}, in tonnes?",
            "In {n}, what quantity of {s} was produced at the centre, in tonnes?",
            "Which quantity of {s}, in tonnes, was produced at the center in {n}?",
        ),
        "tonnes",
    ),
    Relation(
        "drug",
        "small",
        "count",
        (
            "What is the maximum daily dose of {s} for children under {n} years, in mg?",
            "For children under {n} years, what is the maximum daily dose of {s} in mg?",
            "What is the highest daily dose of {s}, in mg, for children under {n} years?",
        ),
    ),
    Relation(
        "act",
        "section",
        "term",
        (
            "What does section {n} of the {s} require?",
            "Under the {s}, what does section {n} require?",
            "Please state what section {n} of the {s} requires.",
        ),
    ),
    Relation(
        "program",
        "version",
        "file",
        (
            "Which configuration file did version {n} of {s} introduce?",
            "In {s}, which configuration file did version {n} introduce?",
            "What configuration file did version {n} of {s} introduce?",
        ),
    ),
    Relation(
        "place",
        "year",
        "count",
        (
            "How many households were recorded in {s} in the census of {n}?",
            "In the census of {n}, how many households were recorded in {s}?",
            "What is the number of households recorded in {s} in the census of {n}?",
        ),
    ),
    Relation(
        "place",
        "small",
        "person",
        (
            "Who designed the bridge of {n} arches in {s}?",
            "The bridge of {n} arches in {s} was designed by whom?",
            "Who was the designer of the bridge of {n} arches in {s}?",
        ),
    ),
    Relation(
        "place",
        "year",
        "month",
        (
            "In which month of {n} was the harbour of {s} opened?",
            "The harbour of {s} was opened in which month of {n}?",
            "What month of {n} was the harbor of {s} opened in?",
        ),
    ),
)
