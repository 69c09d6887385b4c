"""Short words that are no subject: two questions may differ in them and still ask the same.

`ordinary` has the longer ones. Words that turn a question round (open and close, first and last) are in neither use.
"""

from assets.grades.folding import word_set

EVERYDAY = word_set(
    "able about act add age aim all allow also among amount another any apply area around arrive as ask at aware "
    "away back base be bear became become been began begun being belong big bring broad brought build built by call "
    "came can carry case cause chance come common cost could count create date day deal decide did do does done "
    "draw drawn drew each earn effect else employ end equal even event ever every exist extent fact fair far few "
    "figure find finish fit fix follow for form formal found from full gain gave get give given go goal gone good "
    "got great grew ground group grow grown had half hand happen has have head held help her here hers high him his "
    "hold home hour house how if imply in into is issue it item its itself job join just keep kept key kind knew "
    "know known lack large lay less let level lie life like line list live local long look made main make many mark "
    "mean meant measure meet met method might mind mode month move much must name named near need new next note now "
    "of off offer often on once one only onto or order other our out own pair part pass past pay people per person "
    "place plain plan play point post power proper public put raise ran range rate rather reach read ready real "
    "reason regard reply report rest result return role room round rule run said same saw say see seem seen send "
    "sent serve set several shape share she should show shown side sign simple since sit site size small so some "
    "sort source speak spend spent staff stage stand state stay step still stood stop such take taken team tell "
    "term text than that the their them then there these they thing think this those thus time title to told took "
    "total toward town trade treat try turn two type under unit until up upon use used user usual value very view "
    "visit visitor wait want was way we week well went were what when where whether which while who whole whom "
    "whose why wide will with within word work worker world worth would write wrote year yet you your"
)
