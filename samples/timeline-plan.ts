/** When the sample's events are covered, in hours before the import; negative hours are after it. */
export interface PlannedCoverage {
  readonly from: number
  readonly to: number
  /** `burst`: most articles come first, as after an accident. `build`: most come last. */
  readonly shape: 'burst' | 'build'
}

const coverage = (shape: PlannedCoverage['shape'], from: number, to: number): PlannedCoverage => ({ from, to, shape })
const burst = (from: number, to: number): PlannedCoverage => coverage('burst', from, to)
const build = (from: number, to: number): PlannedCoverage => coverage('build', from, to)

/** Number of articles that arrive after the import. */
export interface PlannedEvent {
  /** One period, or one per phase of the event (crime and trial), by year of the articles. */
  readonly periods: readonly PlannedCoverage[]
  readonly live: number
}

const event = (...periods: readonly PlannedCoverage[]): PlannedEvent => ({ periods, live: 0 })
const running = (live: number, ...periods: readonly PlannedCoverage[]): PlannedEvent => ({ periods, live })

/** ECB+ events by label. */
export const EVENTS: Readonly<Record<string, PlannedEvent>> = {
  '1ecbplus': event(burst(290, 262)), // Lindsay Lohan enters rehab
  '2ecbplus': event(burst(44, 20)), // Ellen DeGeneres to host the Oscars
  '3ecbplus': event(burst(250, 190)), // Texas inmate escapes
  '4ecbplus': event(burst(330, 312)), // Esther Williams dies
  '5ecbplus': event(burst(320, 296)), // Sixers dismiss their coach
  '6ecbplus': running(2, build(118, 0.7)), // Gary Ross and the Hunger Games sequel
  '7ecbplus': event(burst(205, 190)), // Klitschko beats Thompson
  '8ecbplus': running(3, build(26, 0.5)), // three die in a bank in Athens
  '9ecbplus': event(build(190, 0.8)), // Obama and the Endangered Species Act
  '10ecbplus': running(1, build(150, 1)), // offers for Mark Teixeira
  '11ecbplus': event(build(240, 130)), // elections in Turkmenistan
  '12ecbplus': event(burst(100, 80)), // Indian navy captures pirates
  '13ecbplus': event(burst(280, 252)), // fire in Palmer
  '14ecbplus': event(burst(225, 212)), // fire at Waitrose in Wellington
  '16ecbplus': event(burst(310, 288), burst(34, 12)), // a deputy is killed; the sentence
  '18ecbplus': event(burst(160, 140)), // shooting in Troy, Michigan
  '19ecbplus': running(1, build(120, 0.6)), // protests in East Flatbush
  '20ecbplus': running(3, build(5, 0.3)), // earthquake in Iran
  '21ecbplus': event(burst(138, 115)), // hit-and-run in Queens
  '22ecbplus': event(burst(268, 250), burst(76, 60)), // Kraft shooting; the trial
  '23ecbplus': event(burst(180, 158)), // climbers die on Mount Cook
  '24ecbplus': running(3, build(4, 0.2)), // jewellery heist in Paris
  '25ecbplus': event(burst(88, 74)), // Pierre Thomas injured
  '26ecbplus': event(burst(235, 218)), // Vincent Gigante dies
  '27ecbplus': running(3, build(20, 0.4)), // flaw in Internet Explorer
  '28ecbplus': event(burst(300, 276)), // Fred LaRue dies
  '29ecbplus': event(burst(112, 102)), // Colts beat Chiefs
  '30ecbplus': event(burst(215, 100)), // SEACOM cable fails
  '31ecbplus': event(burst(165, 154)), // Creighton beats Drake
  '32ecbplus': event(burst(200, 96)), // double murder in Millom
  '33ecbplus': event(burst(272, 255), build(52, 6)), // Zurana Horton is shot; the trial
  '34ecbplus': event(burst(145, 92)), // Regina Benjamin nominated
  '35ecbplus': event(burst(70, 54)), // Jamal Williams arrested
}

/** NTREX documents by the id of their English text. */
export interface PlannedDocument extends PlannedEvent {
  readonly languages: readonly string[]
}

const document = (languages: string, period: PlannedCoverage, live = 0): PlannedDocument => ({
  languages: languages.split(' '),
  periods: [period],
  live,
})

export const DOCUMENTS: Readonly<Record<string, PlannedDocument>> = {
  // Earthquake and tsunami in Indonesia
  'ntrex-44cf75ac82113026': document('en id nl de fr es ja zh ru ar it', build(30, 7)),
  'ntrex-e5d4d29b3b49bd74': document('en id nl de fr es pt it tr sv ru pl', build(6, 0.2), 5),
  // Kavanaugh's confirmation
  'ntrex-35b2244d38b9f36e': document('en es de fr it pt', burst(98, 80)),
  'ntrex-1a087aa7ba09dd99': document('en es de fr sv nl', burst(64, 50)),
  'ntrex-77e7d61ab3c20cd2': document('en es de it pt pl', build(44, 28)),
  'ntrex-7a1f7b442a071ada': document('en es de fr it nl pt', build(16, 0.4), 3),
  'ntrex-73cc26ac47ca0d82': document('en es fr de sv', burst(20, 9)),
  // Track Palin
  'ntrex-d08ead0368adbce6': document('en de es fr ru', burst(84, 70)),
  'ntrex-ba19782ac073e017': document('en de es fr it', burst(48, 36)),
  // North Korea
  'ntrex-a881682a3af91fb8': document('en ko ja zh de', burst(182, 165)),
  'ntrex-8b5b8100f5cca5e8': document('en ko ja zh de fr ru', build(62, 40)),
  'ntrex-d81511381e9eb230': document('en ko ja de es fr', burst(25, 8)),
  // Hurricane Rosa
  'ntrex-06e2feddadb54be1': document('en es de fr pt nl', build(9, 0.3), 3),
  // Others
  'ntrex-69c6a22761b9b650': document('en es de fr', burst(23, 14)),
  'ntrex-12a8429fbdfda3e7': document('en es de', burst(14, 5)),
  'ntrex-b3d3b64bb1030a27': document('en es zh tr', burst(42, 34)),
  'ntrex-5a6698a1c3c8d215': document('en es fr de it pt', burst(54, 44)),
  'ntrex-f96d702fad02459f': document('en ar fr de tr', burst(242, 226)),
  'ntrex-52c5baec3e88d6aa': document('en es pt fr de', burst(285, 264)),
  'ntrex-be2c968135a655c3': document('en de es sv', burst(92, 82)),
  'ntrex-43b3ba11290a3a8a': document('en de fr ja nl', burst(172, 156)),
  'ntrex-0c9f5a7e0a28b6a1': document('en de it es fi', burst(132, 122)),
  'ntrex-c5c2b68333e68c2f': document('en da sv es fr', burst(104, 98)),
  'ntrex-92181a82154bbd75': document('en sv es fr de', burst(90, 84)),
  'ntrex-c120aa969af479ca': document('en id de fr', burst(208, 190)),
  'ntrex-be0ca57193eb3d90': document('en zh de fr vi', burst(254, 240)),
  'ntrex-3bc28bac58ef30db': document('en es zh de', burst(262, 246)),
  'ntrex-f16f4343e5138cb1': document('en ru de tr', burst(142, 128)),
  'ntrex-b4ac5e7e90d0a5fa': document('en es de fr pt', burst(116, 104)),
  'ntrex-d81831a56054bcc4': document('en uk de es', burst(162, 148)),
  'ntrex-3a7f609c63cd20c5': document('en zh fr de', burst(60, 48)),
  'ntrex-f08376a3a0bf05ea': document('en es ar tr', burst(210, 204)),
}

/** Pages of the corpus that are no news (forums, personal pages), and those whose headline is cut in the sample. */
export const LEFT_OUT =
  /blogspot|wordpress|forums|democraticunderground|freerepublic|defence\.pk|voices\.yahoo|nowpublic|beforeitsnews|odmp|laspa|secretdubai|weebly|libcom|contactmusic|kpopstarz|gothamist|rwjf|sun-sentinel|womenmakingmoves|barenakedislam|yardbarker|the-press-office|endangered\.org|duianswer|zimbio|arcade-joseph-comeaux-jr-_n|blog\.al\.com/

/** Headlines that the sample joins with the line below them, or that lost something on the way through the corpus. */
export const TITLES: Readonly<Record<string, string>> = {
  "http://boston.redsox.mlb.com/news/article.jsp?ymd=20081216&content_id=3718580&vkey=news_bos&fext=.jsp&c_id=bos":
    "Red Sox extend offer to Teixeira",
  "http://www.nbcnewyork.com/news/local/Richmond-Hill-Hit-Run-Woman-Critical-Condition-Queens-223712941.html":
    "Woman Killed in Queens Hit-Run, Driver Charged",
  "http://articles.latimes.com/2005/nov/28/world/fg-quake28":
    "Earthquake Levels Villages on Iranian Island of Qeshm",
  "http://articles.latimes.com/2007/apr/04/local/me-orozco4":
    "Deputy's killer gets death sentence",
  "http://www.ameinfo.com/72760.html":
    "Iranian earthquake tremor hits Dubai",
  "http://articles.latimes.com/2005/jun/26/local/me-deputy26":
    "Deputy's Alleged Killer Held",
  "http://bigstory.ap.org/article/creighton-defeats-drake-65-53-mvc-tournament":
    "Creighton defeats Drake 65-53 in MVC tournament",
  "http://abcnews.go.com/US/convicted-child-molester-arcade-joseph-comeaux-jr-loose/story?id=9208916":
    "Convicted Child Molester Arcade Joseph Comeaux Jr. On The Lam in Texas",
  "http://kim.wits.ac.za/index.php?module=news&action=viewstory&id=gen11Srv0Nme53_84584_1313485720":
    "Brief unplanned SEACOM cable internet outage",
  "http://www.ama-assn.org/ama/pub/news/news/regina-benjamin-surgeon-general.page":
    "AMA Celebrates Nomination of Regina Benjamin, MD, Surgeon General",
  "http://www.wcvb.com/Sources-Sox-May-Not-Be-Out-Of-Teixeira-Chase/-/9849586/11321984/-/18hj8m/-/index.html":
    "Sources: Sox May Not Be Out Of Teixeira Chase",
  "http://bigstory.ap.org/article/colts-beat-chiefs-20-13-clinch-playoff-berth-0":
    "Colts beat Chiefs 20-13 to clinch playoff berth",
  "http://www.ktva.com/home/outbound-xml-feeds/Overnight-Fire-Destroys-Historic-Mat-Maid-Building-165301256.html":
    "Overnight Fire Destroys Historic Matanuska Maid Building",
  "http://www.nbcphiladelphia.com/news/local/3-Shot-in-Nabisco-Factory-102589659.html":
    "Suspended Worker Kills 2 Women in Kraft Factory Shooting: Police",
  "http://bigstory.ap.org/article/wladimir-klitschko-retains-world-heavyweight-belts":
    "Wladimir Klitschko retains world heavyweight belts",
  "http://www.securitymagazine.com/articles/84721-paris-store-hit-by-26-million-jewelry-heist":
    "Paris Store Hit by $2.6 Million Jewelry Heist",
  "http://www.utsandiego.com/news/2009/Feb/04/1s4chargers222254-williams-dui-arrest-just-latest-/":
    "Williams' DUI arrest just the latest for Chargers",
  "http://news.softpedia.com/news/5-9-Earthquake-Jolts-Iran-13476.shtml":
    "5.9 Earthquake Jolts Iran",
  "http://www.gocreighton.com/ViewArticle.dbml?DB_OEM_ID=1000&ATCLID=206661464":
    "McDermott Sets Scoring Record as Men's Basketball Tops Drake",
  "http://www.ens-newswire.com/ens/apr2009/2009-04-28-091.asp":
    "Scientific Consultations Under Endangered Species Act Restored",
}

/** Articles that first appear shortened, and how many minutes later the whole text follows. */
export const EARLY_VERSIONS: Readonly<Record<string, { readonly characters: number; readonly minutes: number }>> = {
  'http://uk.reuters.com/article/2010/05/05/uk-greece-idUKLDE6440NQ20100505': { characters: 1_500, minutes: 95 },
  'http://www.crn.com/news/security/240161442/microsoft-rushes-emergency-fix-to-address-internet-explorer-attacks.htm': {
    characters: 1_000,
    minutes: 70,
  },
  'https://en.ntrex-en.example/44cf75ac82113026': { characters: 900, minutes: 150 },
}
