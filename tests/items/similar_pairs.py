"""Hand-written pairs of questions: those that ask the same, and look-alikes that do not.

A line is `question | question | gold`, or `… | gold | other gold` where the two golds are written apart.
"""

SAME = {
    "case, punctuation, spacing": """
        Who wrote the Brandenburg Concertos? | who wrote the brandenburg concertos | Johann Sebastian Bach
        What does the acronym "HTTP" stand for? | What does the acronym HTTP stand for | Hypertext Transfer Protocol
        In what year was the Treaty of Utrecht signed? | In what year   was the Treaty of Utrecht signed ? | 1713
        WHAT IS THE BOILING POINT OF ETHANOL? | What is the boiling point of ethanol? | 78 °C
        What is Boyle's law about? | What is Boyle’s law about? | pressure and volume of a gas
        Which article of the GDPR covers erasure? | Which article of the G.D.P.R. covers erasure? | Article 17
    """,
    "Unicode form": """
        Who painted “Las Meninas”? | Who painted "Las Meninas"? | Diego Velázquez
        Where was Paul Erdős born? | Where was Paul Erdo\u030bs born? | Budapest
        Which year saw the founding of the Université de Montréal? | Which year saw the founding of the Universite de \
Montreal? | 1878
        What is the molar mass of H₂O? | What is the molar mass of H2O? | 18.015 g/mol
        How long is the Orange\u00a0River? | How long is the Orange River? | 2,200 km
    """,
    "slips in ordinary words": """
        Which chemist discovered the element polonium? | Which chemist discoverd the element polonium? | Marie Curie
        When was the Bank of England established? | When was the Bank of England estabilshed? | 1694
        What is the maximum penalty under section 12? | What is the maxmum penalty under section 12? | a fine of $500
        Which university awarded Noether her doctorate? | Which univeristy awarded Noether her doctorate? | Erlangen
        Who was appointed governor of Hawaii in 1962? | Who was apointed governer of Hawaii in 1962? | John A. Burns
        What is the atomic number of radon? | Waht is the atomic number of radon? | 86
        Which country hosted the 1930 World Cup? | Whcih country hosted the 1930 World Cup? | Uruguay
        What was the population of Lagos in 1950? | What was the populaton of Lagos in 1950? | 325,000
    """,
    "word order": """
        In 1815, who led the Prussian army at Ligny? | Who led the Prussian army at Ligny in 1815? | Blücher
        In which year was Nokia founded? | Nokia was founded in which year? | 1865
        Under Rule 10b-5, what is the state of mind? | What is the state of mind under Rule 10b-5? | scienter
        What is the distance between Oslo and Bergen? | What is the distance between Bergen and Oslo? | 463 km
        By whom was the Sydney Opera House designed? | The Sydney Opera House was designed by whom? | Jørn Utzon
    """,
    "synonyms and fillers": """
        In which year was the Royal Society founded? | When was the Royal Society established? | 1660
        What year was Siemens founded in? Give the year. | In which year was Siemens founded? | 1847
        Who is the author of "Middlemarch"? | Who wrote "Middlemarch"? | George Eliot
        What is the largest moon of Saturn? | Which is the biggest moon of Saturn? | Titan
        How tall is the Eiffel Tower? | What is the height of the Eiffel Tower? | 330 m
        How many bones are in the human hand? | What is the number of bones in the human hand? | 27
        Can you tell me who invented the telephone? | Who invented the telephone? | Alexander Graham Bell
        Please state the chemical symbol of tungsten. | What is the chemical symbol of tungsten? | W
        Who won the 1998 Fields Medal from Britain? | Who was the winner of the 1998 Fields Medal from Britain? \
| Richard Borcherds
        Which city is the capital of Mongolia? | What is the capital city of Mongolia? | Ulaanbaatar
        What is the date of birth of Alan Turing? | When was Alan Turing born? | 23 June 1912
        Who received the 1967 Turing Award? | Who was awarded the 1967 Turing Award? | Maurice Wilkes
        What is the maximum dose of paracetamol per day? | What is the highest dose of paracetamol per day? | 4 g
        What movie won the 1994 Palme d'Or? | Which film won the 1994 Palme d'Or? | Pulp Fiction
    """,
    "format instructions": """
        When did the Crimean War end? | When did the Crimean War end? Answer with a four-digit year. | 1856
        What is the capital of Chad? | What is the capital of Chad? (Answer in one word.) | N'Djamena
        Who discovered xenon? | Who discovered xenon? Please give only the full name. | William Ramsay
        What share of air is argon? | What share of air is argon? Give the answer to two decimal places. | 0.93%
        On what date did Chile adopt its constitution? | On what date did Chile adopt its constitution? \
(Format: YYYY-MM-DD) | 11 March 1981 | 1981-03-11
        What is the default port of PostgreSQL? | Answer briefly: What is the default port of PostgreSQL? | 5432
    """,
    "US and UK spelling": """
        What is the colour of copper sulphate? | What is the color of copper sulfate? | blue
        Which organisation publishes the Red List? | Which organization publishes the Red List? | IUCN
        What is the normal level of haemoglobin in men? | What is the normal level of hemoglobin in men? | 13.8 g/dL
        Which theatre staged the premiere of Norma? | Which theater staged the premiere of Norma? | La Scala
        How many metres are in a furlong? | How many meters are in a furlong? | 201.168
        What defence applies to libel? | What defense applies to libel? | truth
        Who analysed the spectrum of helium first? | Who analyzed the spectrum of helium first? | Lockyer
    """,
    "numbers and dates": """
        How many of the 3 judges dissented in Re Polemis? | How many of the three judges dissented in Re Polemis? | none
        Which law took effect on 5 March 1957? | Which law took effect on March 5, 1957? | the Homicide Act
        Which town has 1,000 bridges? | Which town has 1000 bridges? | Xanten
        What befell LIBOR in the 2nd phase? | What befell LIBOR in the second phase? | it ceased
        Which bank paid $3 million in fines? | Which bank paid $3,000,000 in fines? | Coutts
        Which king followed Henry VII of England? | Which king followed Henry 7 of England? | Henry VIII
        How long is a marathon leg of 5 km in miles? | How long is a marathon leg of 5 kilometres in miles? | 3.1
    """,
    "golds": """
        How many moons has Mars? | How many moons does Mars have? | 2 | two
        What is the population of Nauru? | What was the population of Nauru? | 10 000 | 10,000
        When was Sputnik 1 launched? | When was Sputnik 1 launched? | 4 October 1957 | 1957-10-04
        Which band recorded "Tommy"? | Which band recorded "Tommy"? | The Who | who
        Where was Chopin born? | Where was Chopin born? | Żelazowa Wola | Zelazowa Wola
        What is the fee? | What is the fee? | $50 | 50 dollars
    """,
    "other languages": """
        In welchem Jahr wurde die Universität Heidelberg gegründet? | In welchem Jahr wurde die Universität Heidelberg \
gegründet | 1386
        Wann wurde das Werk in Jena gegründet? | Wann wurde das Werk in Jena gegrünedt? | 1846
        Welche Stadt ist die Hauptstadt von Peru? | Welche Stadt ist die Hauptstadt von PERU? | Lima
        Qui a écrit « Les Misérables » ? | Qui a écrit "Les Misérables"? | Victor Hugo
        En quelle année a été signé l'édit de Nantes ? | En quelle année a été signé l’édit de Nantes? | 1598
        中国的首都是哪里？ | 中国的首都是哪里? | 北京
        请问中华人民共和国成立于哪一年？ | 中华人民共和国成立于哪一年 | 1949年
        ما هي عاصمة مصر؟ | ما هي عاصمه مصر | القاهرة
        ما هي عاصمة فرنسا؟ | مَا هِيَ عاصِمة فرنسا | باريس
        В каком году был основан Омск? | в каком году был основан Омск | 1716
    """,
}

DIFFERENT = {
    "names": """
        What is the capital of Oman's governorate Dhofar? | What is the capital of Oman's governorate Musandam? | Khasab
        Which river flows through Basel? | Which river flows through Strasbourg? | Rhine
        which river flows through basel? | which river flows through cologne? | Rhine
        Who was the director of "Alien"? | Who was the director of "Blade Runner"? | Ridley Scott
        What year was John Adams elected president of the club? | What year was Jon Adams elected president of the \
club? | 1796
        When was the Slovenian parliament founded? | When was the Slovakian parliament founded? | 1992
        When did Niger gain independence from France? | When did Nigeria gain independence from France? | 1960
        Who founded Bergman Hospital? | Who founded Bergmann Hospital? | Ada Bergmann
        Johansson endowed which school in Lund? | Johanson endowed which school in Lund? | Spyken
        What was founded by the Johansons? | What was founded by the Johanssons? | a mill
    """,
    "substances and terms": """
        What is the valence of carbon? | What is the valence of silicon? | 4
        What is the colour of copper sulfate? | What is the colour of copper sulfite? | blue
        How many carbon atoms has ethane? | How many carbon atoms has ethene? | 2
        How many oxygen atoms are in a nitrate ion? | How many oxygen atoms are in a chlorate ion? | 3
        What is the physical state of methanol? | What is the physical state of methanal? | liquid
        What is the process of absorption measured in? | What is the process of adsorption measured in? | moles
        Who owes the duty, the lessor or another? | Who owes the duty, the lessee or another? | the tenant
        What is the first-line drug for hypertension in pregnancy? | What is the first-line drug for hypotension in \
pregnancy? | labetalol
        What is the normal dose of prednisone? | What is the normal dose of prednisolone? | 5 mg
        Which form must an employer file? | Which form must an employee file? | W-4
        In which phase does mitosis separate chromatids? | In which phase does meiosis separate chromatids? | anaphase
        What is the depreciation notice period? | What is the deprecation notice period? | 12 months
        In which organ is the ileum found? | In which organ is the ilium found? | body
        What is the melting point of silicon? | What is the melting point of silicone? | unknown
    """,
    "numbers": """
        Which city hosted the 1996 congress of the IMU? | Which city hosted the 2000 congress of the IMU? | Geneva
        What does section 12 of the Act regulate? | What does section 13 of the Act regulate? | evidence
        Which Python version is required by NumPy 1.26? | Which Python version is required by NumPy 1.25? | 3.9
        Which command was added in Git 2.1? | Which command was added in Git 2.10? | worktree
        What is the penalty for three offences? | What is the penalty for four offences? | a fine
        Which team won the first Super Bowl? | Which team won the second Super Bowl? | Green Bay Packers
        Who was the 3rd president of Iota? | Who was the 4th president of Iota? | Mary Bell
        What is 10^2 on the scale? | What is 10^3 on the scale? | high
        What is the state of water at -5 °C? | What is the state of water at 5 °C? | ambiguous
        What rule applies at 1.5 million? | What rule applies at 1.5 billion? | disclosure
        Who ruled under the name of George V? | Who ruled under the name of George VI? | Windsor
        What is the fee for Form 10-K? | What is the fee for Form 10-Q? | none
        Which act was passed on 5 March 1957? | Which act was passed on 6 March 1957? | the Rent Act
        What music was popular in the 1920s? | What music was popular in the 1930s? | jazz
        What is the charge of Fe3+? | What is the charge of Fe2+? | positive
        Which protocol uses port 80? | Which protocol uses port 8080? | HTTP
        What does RFC 9110 define? | What does RFC 9111 define? | HTTP
    """,
    "units and signs": """
        How far is it from Bonn to Kiel in km? | How far is it from Bonn to Kiel in miles? | 500
        What is the fee of $20 for? | What is the fee of €20 for? | a licence
        What is the limit of 5 mg of? | What is the limit of 5 Mg of? | lead
        What is x + y called? | What is x − y called? | a linear form
        What share is held at 5%? | What share is held at 5? | a minority
        When was C released? | When was C++ released? | 1985
        Who designed C#? | Who designed C? | unknown
        Which blood type can receive A+? | Which blood type can receive A−? | AB+
        What does 😀 mean? | What does 😂 mean? | joy
        What is the price per kilogram of saffron? | What is the price per gram of saffron? | 3,000
    """,
    "opposites": """
        Which drug is approved for asthma? | Which drug is not approved for asthma? | X
        Which state has no income tax? | Which state has income tax? | Texas
        Which is the northernmost town of Chile? | Which is the southernmost town of Chile? | unclear
        Which river borders north Benin? | Which river borders south Benin? | Niger
        What is the maximum number of directors? | What is the minimum number of directors? | 3
        Who was the first emperor of the line? | Who was the last emperor of the line? | Pedro
        What opened in March in Rome? | What opened in May in Rome? | a museum
        Who is his rival in the opera Norma? | Who is her rival in the opera Norma? | Adalgisa
        Who is his mother in the opera Norma? | Who is his father in the opera Norma? | Oroveso
        Which import duty applies to steel? | Which export duty applies to steel? | 25%
        What is the notice period before the sale? | What is the notice period after the sale? | 30 days
        What may the trustee sell? | What must the trustee sell? | land
        Is the upper chamber elected for 4 years? | Is the lower chamber elected for 4 years? | elected
        What is the largest lake in Chile? | What is the smallest lake in Chile? | none
        What is the net margin of Acme? | What is the gross margin of Acme? | 5%
        Who is the current holder of the belt? | Who is the former holder of the belt? | Ali
        Which isotope is stable? | Which isotope is unstable? | C-12
        What isn't covered by Part D? | What is covered by Part D? | vitamins
        Which vein carries oxygenated blood? | Which vein carries deoxygenated blood? | pulmonary
    """,
    "who does what to whom": """
        How many times did Federer beat Nadal? | How many times did Nadal beat Federer? | 16
        How many points did Real Madrid score against Ajax? | How many points did Ajax score against Real Madrid? | 2
        What tariff applies from Peru to Chile? | What tariff applies from Chile to Peru? | 6%
        What is the factor from ounces to grams? | What is the factor from grams to ounces? | 1
        How many medals were awarded by Ajax? | How many medals were received by Ajax? | 3
        Which pipeline exports gas to Poland? | Which pipeline exports gas from Poland? | Yamal
    """,
    "what is asked": """
        Which city hosted Expo 1990? | Which country hosted Expo 1990? | Singapore
        How many chapters of the Code cover fraud? | Which chapters of the Code cover fraud? | 3
        What is the density of ice? | What is the mass of ice? | 0.917
        What is the atomic number of neon? | What is the group number of neon? | 10
        What is the half-life of radon? | What is the half-life of radium? | days
        Who wrote the score of "Jaws"? | Who wrote the screenplay of "Jaws"? | unknown
        When was the IMF founded? | When was the IMF dissolved? | 1944
        In which year was Paul Klee born? | In which year did Paul Klee die? | 1879
    """,
    "golds": """
        What is the capital? | What is the capital? | Lima | Quito
        How many are there? | How many are there? | 3 | 4
        Which version is it? | Which version is it? | 3.1 | 3.10
        When did it open? | When did it open? | 5 March 1957 | 3 May 1957
        What is the charge? | What is the charge? | +2 | -2
        Which blood type is meant? | Which blood type is meant? | A+ | A−
    """,
    "other languages": """
        In welchem Jahr wurde die Universität Heidelberg gegründet? | In welchem Jahr wurde die Universität Tübingen \
gegründet? | 1386
        Welcher Fluss fließt durch Basel? | Welcher Fluss fließt durch Köln? | Rhein
        Quelle est la capitale du Niger ? | Quelle est la capitale du Nigeria ? | Abuja
        中国的首都是哪里？ | 法国的首都是哪里？ | 北京
        1949年成立的国家是哪个？ | 1950年成立的国家是哪个？ | 中国
        ما هي عاصمة مصر؟ | ما هي عاصمة سوريا؟ | القاهرة
    """,
}


def pairs(listed: dict[str, str]) -> list[tuple[str, str, str, str]]:
    """Question, question, gold, gold of each line."""
    found = []
    for lines in listed.values():
        for line in filter(None, map(str.strip, lines.strip().splitlines())):
            one, other, gold, *second = (part.strip() for part in line.split(" | "))
            found.append((one, other, gold, second[0] if second else gold))
    return found
