"""Ordinary words of six letters and more: a word that is one letter off and stands nowhere else is a slip.

Two words that are both here are two words, however alike (employer, employee).
"""

from assets.grades.folding import word_set

ORDINARY = word_set(
    """
ability absolute academic academy accept accepted accepting access accident accord according account accounting
accused achieve achieved achievement acquire acquired acquiring acronym action active activity actress actual adapted
addition additional address adjacent administration administrative admitted adopted advance advanced advantage
advertised affect affected affecting aftershock afterwards against agency agreed agreement agricultural agriculture
aircraft airline airport allegedly allowed almost already although always amateur ambassador amended amendment amount
analysis ancient animal animals anniversary announce announced announcement annual annually another anthem anyone
apparent appear appearance appeared appears applicable application applied applies appoint appointed appointment
approval approve approved approximate archaeologist architect architecture argument around arrange arrest arrested
arrival arrived article artist artistic artwork artworks aspect assassinated assembly assigned assistant associate
associated association assumed athlete attached attack attempt attempted attend attended attorney attributed auction
audience authority authorized automatic autumn available average aviation awarded awarding bachelor background backup
balance ballot baptized barrier baseball basketball battle became because become becomes before beginning behind
belief believed belong belongs beneath benefit besides between beyond bilateral biography biologist biology birthday
bishop bishopric bombing border botanist bottom boundary branch bridge briefly bright british broadcast brother
brought budget building buildings buried burned business calculate calculated calendar called campaign cancer
candidate capable capacity capital captain caption captured cardinal career carried carrier cartoon carving casting
casual catalog category cathedral causal caused causes ceased celebrate celebrated census center central century
ceremony certain certificate certified chairman challenge champion championship chancellor change changed channel
chapter character characteristic characters charge charged chemical chemistry children choice choose chosen church
circle circuit citizen citizens civilian claimed classic classical classification classified clinical closed clothing
coastal cofounded coined collaborate collaborated collaboration collect collected collection college colony column
combination combined comedy comics command commander commercial commission commissioner commit commits committed
committee common commonly communication community compact company compare compared competed competition complaint
complement complete completed completely completing compliant compliment component composed composer composition
compound computer concept concern concerned concert concluded condition conditions conduct conducted conductor
conference configuration configured confirmed congress congressional connect connected connection consecutive
conservation consider considered consist consisted consisting consists constant constitute constitution constitutional
construct constructed construction contact contain contained container contains contemporary content contest
contestant context continent continue continued contract contribute contributed contribution control controlled
controlling convention conversation conversion convert converted cooperation coordinates corporate correct
corresponding council counsel country county course courses crater create created creating creation creator creature
credit credited cricket cricketer criminal criterion critical crossing crowned cruise cultural culture curated curator
currency current currently custom customer damage dancer dancing daughter deadline debate decade deceased decided
decimal decision declare declared decline decrease dedicated defeated defence defend defendant defense define defined
defines definition degree degrees deliver delivered delivery department depend depicted deposit deprecation
depreciation derived describe described describes description desert design designated designed designer desired
despite dessert destination destroyed detail detailed determine determined develop developed developer development
device devout diagnosed dialect dialogue diameter difference different differential digital dimension dinosaur
diplomat direct directed directing direction directive directly director disaster discipline disclose discography
discover discovered discovery discus discuss discussed disease display distance distinct distribute distributed
distribution district divided dividend division divorce doctor doctoral document documentary domain domestic donated
double drafted dragon dramatic drawing driven driver duration during dynasty earlier earliest eastern eclipse economic
economist economy edition editor educate educated education effect effective efficiency efficient eighth either
elected election electric electrical electron electronic element elements elevated elevation eligible eliminated
embassy emerge emergency emirate emission emperor empire employ employed employee employees employer employment
enacted encounter engine engineer engineering english enough enrolled ensure entered enterprise entire entitled entity
entrance environment environmental enzyme episode episodes equation equipment equivalent essential establish
established establishing establishment estate estimate estimated ethnic european evaluate evening evidence evolution
example exceed except exception exchange executive exercise exhibit exhibited exhibition exhibitions existed existing
expand expansion expected expedition expense experience experiment experimental expert explain explained explicit
explicitly explore explorer explosion export express expressed expression extend extended extension extent external
extract extreme factor faculty failed failure familiar family famous fashion father favorite feature featured features
federal federation fellow fellowship female festival fiction fictional fighter figure filing filling filmed finalist
finance financial finding finished fiscal flagship flight flower follow followed following follows football footballer
foreign forest formal formally format formation former formerly formula fortress fossil fought foundation founded
founder founders founding fourth fraction framework fraternity frequency frequent friction friend function funded
funding funeral furniture further future gained gallery garden gender general generally generate generated generation
genetic geographic geological geologist gesture giving glacier global goalkeeper government governor graduate
graduated graduating grammar grandfather grandmother granted grantee grantor graphic greater greatest greeted ground
growth guarantee guitar habitat hacker happen happened harbor having headed headquarters health height herself
hexadecimal hidden highest highway himself historian historic historical history holder holding hometown honorary
honored honour hospital hosted household houses housing however hundred husband identical identified identifier
identify identity illness illustrated illustrator immediate immediately immigrated impact implement implemented import
important imposed imprisoned improve inaugurated inches incident include included includes including income increase
increased independence independent indicate indicated individual inducted industrial industry infection inflation
influence influenced inform information infrastructure inherit inherited initial initially injured injury innings
inscription insect inspired installed instance institute institution instruction instrument insurance integrated
intended interest interesting interior internal international interview introduce introduced introduction invented
invention inventor invest investigation investment investor invited involved island issued issuer issuing itself
joined jointly journal journalist journey judgment jumped junior jurisdiction justice keyboard keywords kingdom knight
knighted knowledge labeled laboratory landed landing landmark language languages largest lasted latest latter launch
launched lawsuit lawyer leader leaders leadership leading league leaves lecture lecturer lectures legislation
legislative length lessee lessor letter levels liability liable library license licensed licensee licensing licensor
lifetime limited linguist literary literature living locate located location longer longest losses lowest lyrics
machine magazine magician magnetic mainly maintain maintained maintenance makeup manage managed management manager
managing mandate mandatory manner manufacture manufactured manufacturer margin marine marital market marketing
marriage married martial mascot master masters material mathematical mathematician mathematics matter mature maximum
meaning measure measured measurement measures mechanical mechanism medalist medals medical medication medicine meeting
melting member members membership memorial memory mention mentioned merged merger meteorite method metric middle
military million mineral minimum minister ministry minute minutes mission mixtape mixture mobile modern modified
molecular molecule moment monarch monastery monthly monument morning mortgagee mortgagor mother motion motivated
mountain mountains movement movies moving municipal municipality murder muscle museum musical musician mutual myself
mythology narrated narrator national nationality native natural nature nearest nearly necessary nephew network neutral
nickname nobleman nominal nominated nomination normal northern notable notice notify noting novelist nuclear number
numbered numbers obituary object objective obligation observe observed obtain obtained occasion occupation occupied
occurred office officer official officially opened opening operate operated operates operating operation operational
operator opinion opposed opposite option orbital orchestra ordered ordinary organic organization organize organized
organizer origin original originally originated orphanage outcome output outside overall overseas ownership package
painted painter painting paintings palace parade parent parents parish parliament parliamentary parody partial
participant participate participated participating particle particular partner partners passage passed passenger
patent patient patients patron payable payment penalties penalty pending pension people percent percentage perfect
perform performance performed performer period periodic permanent permission permit permitted person personal
philosopher philosophy photograph photographer physical physician physicist physics pianist picture pioneer pitcher
plaintiff planet planets player players playing playwright pleaded pleasure podcast poetry poisoned policy political
politician pollution popular population portion portrait portrayed position positive possess possible postponed
potential pottery powered powers practice predecessor prefect preferred premier premiere premiered premium prepared
presence present presented presenter presenting preserve presided presidency president presidential pressure pretend
prevent previous previously primary prince princes princess principal principle prison prisoner private probability
problem procedure proceeding process produce produced producer producing product production profession professional
professor profit program programmer programming prohibited project promoted promotional proper property proposal
proposed prosecutor protect protected protection protein protocol proved provide provided provider province provision
psychiatrist psychologist public publication publicly publish published publisher publishes publishing purchase
purchased purpose pursue qualification qualified qualify quality quantity quarter question racehorse racing radiation
radical radius railway raised ranger ranked ranking rapidly rating reached reaction reader reading reality reason
receive received receiver receives recent recently recipe recipient recognition recognize recognized recommend
recommended record recorded recording reduce reduced reduction referee reference referred reform refused regarding
regime regiment region regional register registered registration regular regularly regulated regulation regulations
regulatory reject related relation relationship relative release released relevant reliable relief religion religious
remain remained remaining remains remarkable remixed remove removed renamed renewed repeated replace replaced
replacement report reported reporter reporting represent representative represented republic request requested require
required requirement requires rescue research researcher researchers researching resemble reserve residence resident
resign resigned resigning resolution resource respective respectively response responsible restaurant restored result
resulted results retail retain retire retired return returned returning revealed revenue review reviewed revised
revolution reward rights ritual rivalry ruling runner runway sailed salary sample satellite satirical scheduled scheme
scholar scholarship school science scientific scientist scored scorer scoring screen sculpted sculptor sculpture
season seasons second secondary secret secretary section sector secured security segment select selected selection
seminal senate senator senior sentence sentenced separate sequence series serious served server service services
serving session settled settlement several severe shared shareholder shipping shipwreck shooting shortest shortlisted
should sibling signal signature signed significant silver similar simple singer single sister situated situation
skater slogan smallest social society software soldier soloist solution somebody someone songwriter soundtrack source
southern spacecraft sparked special species specific specification specified specimen speech spinoff spoken sponsor
sponsored spouse spring square stadium standard standards started starting stated statement station stationary
stationery statistics statue statues status statute stayed storage strategy streamer street strength stretch strike
strikes string structure student students studied studies studio subject submit submitted subsequent subsidiary
substance succeed succeeded success successful successor sufficient suffix suggest suggested summer summit superhero
supervised supplied supply support supported supreme surface surgeon surgery surname surrender survey surveyed
survived suspect suspected suspects swimmer symbol system systems talent target taught teacher teaching technical
technique technology teenager telephone telescope television temperature temple temporary tenant tennis tenure
terminal terminate territory testing theater theatre themed themselves theorem theory therapy thesis thousand threat
threshold through throughout ticket tissue together tournament tournaments toward towards tracks traditional traffic
trainer training transaction transfer transferred transition translate translated translation transmission transport
travel traveled treasurer treasury treated treatment treaty tribunal tributary trustee trustor tunnel turned typical
typically ultimate umpire uniform unique united universal universe university unknown unless untied unveiled upward
useful valley valuation values variable variant variety various vehicle venture version versions vertical vessel
veteran victim victories victory village villain violation violence virtual visible visited visual vocalist voiced
volume volunteer voters warden warning wavelength weapon weather website wedding weekly weighed weight western
whenever whether widely widowed winner winning winter within without witness wording worked worker working worldwide
wrestler wrestling writer writing written yearly yields younger youngest zodiac
"""
)
