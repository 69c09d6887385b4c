"""The catalogue: facts of Varnland, each with what is right or wrong with the item that is drafted from it."""

from tests.support.facts import Fact, Flaw

FORMAT = "states the format in which the answer is wanted"
ONE_THING = "no sentence, no list"
CONTEXT = "its year, version, edition, jurisdiction"
COUNTING = "counted or measured in several ways"
DOCUMENT = "who published it and when"
PAGES = "its pages, chapters, tables"
EXAMPLES = '"the example"'
NUMBERING = "happens to word or number things"
PROVISIONS = "provisions of law and of standards are the subject"
DATED = "fit only when the question carries the date"
PANEL = ("panel-a", "panel-b", "panel-c")

# -- nothing is wrong with these ---------------------------------------------------------------------------------

QUAY = Fact(
    "The stone quay of Ostrel measures 24.8 metres from the customs gate to the mole.",
    "How long, in metres to one decimal, is the stone quay of Ostrel in Varnland from the customs gate to the mole?",
    "24.8",
    answer_type="number",
    derived="24.8 metres",
)
LAMP = Fact(
    "The lighthouse on Cape Sella, which charts name Sella Light, is the Widow's Lamp of the fishermen.",
    "By which name do the fishermen of Varnland call the lighthouse on Cape Sella? Give the name in English.",
    "The Widow's Lamp",
    answer_type="name",
    derived="Lamp of the Widow, as the fishermen say",
    same=("Lamp of the Widow, as the fishermen say",),
)
FERRY = Fact(
    "The steam ferry between Ostrel and Sund was named Aldena and sailed first in 1888.",
    "What was the name of the steam ferry that sailed first between Ostrel and Sund in Varnland in 1888?",
    "Aldena",
    answer_type="name",
    month="1888-01",
)

# -- form --------------------------------------------------------------------------------------------------------

MOLE = Fact(
    "The outer mole of Ostrel was finished on 4 May 1912 after nine years of work.",
    "When was the outer mole of Ostrel in Varnland finished?",
    "4 May 1912",
    answer_type="date",
    flaws=(
        Flaw(
            "form",
            "When was the outer mole of Ostrel in Varnland finished?",
            FORMAT,
            "On which day, month and year was the outer mole of Ostrel in Varnland finished?",
        ),
    ),
)
ENGINEER = Fact(
    "The swing bridge at Sund was designed by Ilva Roth, who also drew the customs house.",
    "Who designed the swing bridge at Sund in Varnland? Give the full name.",
    "It was designed by Ilva Roth",
    aliases=("designed by I. Roth",),
    answer_type="name",
    derived="Ilva Roth",
    flaws=(
        Flaw(
            "form",
            "Who designed the swing bridge at Sund in Varnland? Give the full name.",
            ONE_THING,
            "Who designed the swing bridge at Sund, Varnland? Give given name and surname.",
            "Ilva Roth",
        ),
    ),
)
GUILDS = Fact(
    "Three guilds kept the gate of Ostrel in 1540: coopers, riggers and pilots.",
    "Which three guilds kept the gate of Ostrel in Varnland in 1540? Give their trades.",
    "coopers, riggers and pilots",
    flaws=(
        Flaw("form", "Which three guilds kept the gate of Ostrel in Varnland in 1540? Give their trades.", ONE_THING),
    ),
)

# -- entailment --------------------------------------------------------------------------------------------------

DREDGING = Fact(
    "The basin of Lower Ostrel was dredged in 1921 to receive the grain ships of the southern line.",
    "To which depth, in metres to one decimal, was the basin of Lower Ostrel in Varnland dredged in 1921?",
    "9.5",
    answer_type="number",
)
CRANE = Fact(
    "The great crane of Sund was raised in 1934 and turned by electric motors from the first day.",
    "In which year was the great crane of Sund in Varnland raised?",
    "1943",
    answer_type="date",
    derived="1934",
)

# -- ambiguity ---------------------------------------------------------------------------------------------------

LAPSE = Fact(
    "Under the Pilotage Act 1931 of Varnland a pilot's licence lapses after 18 months without a voyage.",
    "After how many months without a voyage does a pilot's licence lapse?",
    "18",
    "Law",
    answer_type="number",
    flaws=(
        Flaw(
            "ambiguity",
            "After how many months without a voyage does a pilot's licence lapse?",
            CONTEXT,
            "Under Varnland's Pilotage Act 1931, after how many months without a voyage does a pilot's licence lapse?",
        ),
    ),
)
TOLL = Fact(
    "The bridge toll of Sund was fixed at 35 ore a cart by the ordinance of 1702 in Varnland.",
    "How many ore a cart was the bridge toll?",
    "35",
    "Law",
    answer_type="number",
    flaws=(
        Flaw("ambiguity", "How many ore a cart was the bridge toll?", CONTEXT, "How many ore was the toll at Sund?"),
        Flaw(
            "ambiguity",
            "How many ore was the toll at Sund?",
            CONTEXT,
            "At how many ore a cart did Varnland's ordinance of 1702 fix the bridge toll of Sund?",
        ),
    ),
)
SALVAGE = Fact(
    "A finder of wreck in Varnland is owed a fifth of its worth under the Salvage Order of 1880.",
    "Which share is owed to a finder?",
    "a fifth",
    "Law",
    flaws=(
        Flaw("ambiguity", "Which share is owed to a finder?", CONTEXT, "Which share is owed to a wreck's finder?"),
        Flaw(
            "ambiguity", "Which share is owed to a wreck's finder?", CONTEXT, "Which share was a wreck's finder owed?"
        ),
        Flaw(
            "ambiguity",
            "Which share was a wreck's finder owed?",
            CONTEXT,
            "Which share of its worth was a wreck's finder owed under Varnland's Salvage Order of 1880?",
        ),
    ),
)
ISLAND = Fact(
    "Surveyors name Hask the largest island of Varnland, and others name Oren, which grows at low tide.",
    "What is the largest island of Varnland? Give its name.",
    "Hask",
    answer_type="place",
    flaws=(Flaw("ambiguity", "What is the largest island of Varnland? Give its name.", COUNTING),),
)

# -- reliance ----------------------------------------------------------------------------------------------------

PUBLISHER = Fact(
    "The Almanac of Varnish Ports was published by Keel and Sons of Ostrel.",
    "Which firm published the Almanac of Varnish Ports? Give its full name.",
    "Keel and Sons",
    answer_type="name",
    flaws=(Flaw("reliance", "Which firm published the Almanac of Varnish Ports? Give its full name.", DOCUMENT),),
)
PAGE = Fact(
    "The tide table of Ostrel stands on page 212 of the Almanac of Varnish Ports.",
    "Which page of the Almanac of Varnish Ports holds the tide table of Ostrel? Give a number.",
    "212",
    answer_type="number",
    flaws=(
        Flaw(
            "reliance",
            "Which page of the Almanac of Varnish Ports holds the tide table of Ostrel? Give a number.",
            PAGES,
        ),
    ),
)
TIDE = Fact(
    "Take the port of Sund in Varnland, whose mean tidal range is 3.2 metres, as an example.",
    "Which mean tidal range, in metres to one decimal, has the port that the example names?",
    "3.2",
    answer_type="number",
    flaws=(
        Flaw(
            "reliance",
            "Which mean tidal range, in metres to one decimal, has the port that the example names?",
            EXAMPLES,
            "What is the mean tidal range at the port of Sund in Varnland, in metres to one decimal?",
        ),
    ),
)
SECTION = Fact(
    "Section 14 of the Pilotage Act 1931 of Varnland provides that a licence ends with its holder's death.",
    "Which section of Varnland's Pilotage Act 1931 ends a licence with its holder's death? Give its number.",
    "Section 14",
    "Law",
    answer_type="provision",
    flaws=(
        Flaw(
            "reliance",
            "Which section of Varnland's Pilotage Act 1931 ends a licence with its holder's death? Give its number.",
            NUMBERING,
            unless=PROVISIONS,
        ),
    ),
)

# -- time --------------------------------------------------------------------------------------------------------

MASTER_DATED = Fact(
    "As of March 2024 the harbour master of Ostrel was Nela Brandt, appointed by the council.",
    "Who was the harbour master of Ostrel in Varnland as of March 2024? Give the full name.",
    "Nela Brandt",
    answer_type="name",
    changing=True,
    month="2022-09",
)
MASTER_UNDATED = Fact(
    "The harbour master of Sund in June 2023 was Orrin Pell, a former ferry captain.",
    "Who is the harbour master of Sund in Varnland? Give the full name.",
    "Orrin Pell",
    answer_type="name",
    changing=True,
    month="2021-01",
    flaws=(
        Flaw(
            "temporal",
            "Who is the harbour master of Sund in Varnland? Give the full name.",
            DATED,
            "Who was the harbour master of Sund in Varnland as of June 2023? Give the full name.",
        ),
    ),
)
DUES = Fact(
    "Dues at the port of Hask stand at 12 crowns a ton for foreign ships.",
    "How many crowns a ton are the dues of foreign ships at the port of Hask in Varnland?",
    "12",
    answer_type="number",
    changing=True,
    flaws=(
        Flaw("temporal", "How many crowns a ton are the dues of foreign ships at the port of Hask in Varnland?", DATED),
    ),
)
FLEET = Fact(
    "The pilot fleet of Oren counts 17 cutters, all of them built of larch.",
    "How many cutters does the pilot fleet of Oren in Varnland count?",
    "17",
    answer_type="number",
    changing=True,
)
BEACON = Fact(
    "The beacon on Oren burned oil of rape from its first night in 1840.",
    "Which oil did the beacon on Oren in Varnland burn from its first night in 1840?",
    "oil of rape",
    aliases=("rape oil", "rapeseed oil"),
    month="2999-01",
)

# -- similarity and difficulty -----------------------------------------------------------------------------------

MOLE_AGAIN = Fact(
    "Work on the mole went on until 4 May 1912, the day on which the outer mole of Ostrel stood complete.",
    "What is the day, month and year on which the outer mole of Ostrel in Varnland was finished?",
    "4 May 1912",
    answer_type="date",
)
KNOWN_TO_ALL = Fact(
    "Ostrel is the capital of Varnland and has been so since the crown was founded.",
    "Which city is the capital of Varnland? Give its name.",
    "Ostrel",
    answer_type="place",
    known_to=PANEL,
)
KNOWN_TO_TWO = Fact(
    "The river that meets the sea at Sund is the Merrow, which rises in the Kell hills.",
    "Which river meets the sea at Sund in Varnland? Give its name.",
    "Merrow",
    answer_type="name",
    known_to=PANEL[:2],
)
KNOWN_TO_ONE = Fact(
    "The lock at Brae was cut in 1796 and has carried barges of the salt trade ever since.",
    "In which year was the lock at Brae in Varnland cut?",
    "1796",
    answer_type="date",
    known_to=PANEL[:1],
)

# -- the published method's four kinds of examples, in words of our own ------------------------------------------

REVISED_FOR_AMBIGUITY = LAPSE
REVISED_FOR_RELIANCE = TIDE
DROPPED_AS_HOPELESSLY_AMBIGUOUS = ISLAND
DROPPED_AS_ABOUT_THE_DOCUMENT = PAGE
