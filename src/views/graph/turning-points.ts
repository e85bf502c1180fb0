import { headlineCues } from '../../language/genre/cues.ts'

/** The data of a chapter that decides whether it is a turning point. */
export interface TimelineChapter {
  /** Event time of its first article, ISO 8601. */
  readonly created_at: string
  readonly article_count: number
  readonly headlines: readonly { readonly title: string | null; readonly genre: string }[]
  /** The entities that most of its articles mention. */
  readonly entities: readonly {
    readonly id: string
    readonly name: string
    readonly type: string
    readonly article_count: number
  }[]
}

interface TurningPointsCandidate {
  readonly at: number
  readonly score: number
  readonly why: string
}

/** Prior chapters needed before a chapter can stand out from their median. */
const MIN_EARLIER = 2
const TIMES_THE_MEDIAN = 2
const MIN_ARTICLES = 4
/** By articles, a chapter that stands out is in the top 1/4 of the thread's chapters. */
const TOP_ONE_IN = 4
/** A chapter that stands out has at least this share of the articles of the thread's largest chapter. */
const OF_THE_LARGEST = 0.5
/** Coverage of one event is often several chapters: only the most covered one within this time stands out. */
const SAME_EVENT_MS = 3 * 86_400_000
/** An outcome counts if at least two headlines of a chapter report it, or one if the chapter has at most eight. */
const MIN_HEADLINES = 2
const ONE_IS_ENOUGH_UP_TO = 8
/** Added to log2(articles): a reported outcome weighs as much as four times the articles. */
const OUTCOME_SCORE = 2
/** A new person stays if at least two of the next four chapters, and at least half of them, mention the person. */
const NEXT_CHAPTERS = 4
const MIN_LATER_CHAPTERS = 2
const MAX_NAMES = 3
/** At most one in five chapters is a turning point, and at most five per thread. */
const ONE_PER_CHAPTERS = 5
const MAX_PER_THREAD = 5

/**
 * For each chapter of a thread, in chronological order: why it is a turning point, in a sentence or two; `null` if it
 * is not. A chapter is a turning point if its headlines report an outcome, or if it stands out: it has at least twice
 * the articles of the median chapter before it (for the first chapter: after it), at least half of the largest
 * chapter's, and no larger chapter within three days. The second chapter has too few chapters before it to stand out.
 * Only the strongest turning points are kept: one in five chapters, at most five.
 */
export function turningPoints(chapters: readonly TimelineChapter[]): readonly (string | null)[] {
  const limit = Math.min(MAX_PER_THREAD, Math.ceil(chapters.length / ONE_PER_CHAPTERS))
  const candidates = chapters.flatMap((_, at) => candidateAt(chapters, at) ?? [])
  const strongest = candidates.toSorted((a, b) => b.score - a.score || a.at - b.at).slice(0, limit)
  const reasons = new Map(strongest.map(({ at, why }) => [at, why]))
  return chapters.map((_, at) => reasons.get(at) ?? null)
}

function candidateAt(chapters: readonly TimelineChapter[], at: number): TurningPointsCandidate | null {
  const chapter = chapters[at]
  if (chapter === undefined) return null
  const outcome = outcomeOf(chapter)
  const coverage = standsOut(chapters, chapter, at)
  if (outcome === null && coverage === null) return null
  const reasons = [outcome, coverage, newPersons(chapters, chapter, at)].filter((why) => why !== null)
  const score = Math.log2(chapter.article_count) + (outcome === null ? 0 : OUTCOME_SCORE)
  return { at, score, why: reasons.join(' ') }
}

/** The outcome that most headlines of a chapter report, with the first of these headlines. */
function outcomeOf({ headlines }: TimelineChapter): string | null {
  const reports = headlines.flatMap(({ title, genre }) =>
    title === null || genre === 'opinion' ? [] : reportIn(title),
  )
  const byOutcome = reports.map((one) => reports.filter(({ outcome }) => outcome === one.outcome))
  const [best] = byOutcome.toSorted((a, b) => b.length - a.length)
  const [first, ...others] = best ?? []
  if (first === undefined) return null
  const isOneOfMany = others.length + 1 < MIN_HEADLINES && headlines.length > ONE_IS_ENOUGH_UP_TO
  return isOneOfMany ? null : `Its headlines report ${first.outcome}: “${first.title}”.`
}

function reportIn(title: string): { readonly title: string; readonly outcome: string }[] {
  const outcome = outcomeIn(title)
  return outcome === null ? [] : [{ title, outcome }]
}

function standsOut(chapters: readonly TimelineChapter[], chapter: TimelineChapter, at: number): string | null {
  const { article_count: count } = chapter
  if ((at > 0 && at < MIN_EARLIER) || count < MIN_ARTICLES || !isPeak(chapters, chapter)) return null
  const others = at === 0 ? chapters.slice(1) : chapters.slice(0, at)
  const typical = median(others.map(({ article_count }) => article_count))
  if (count < TIMES_THE_MEDIAN * typical) return null
  return at === 0
    ? `The thread begins with ${count} articles; the median of the later chapters is ${typical}.`
    : `It has ${count} articles; the median of the chapters before it is ${typical}.`
}

function isPeak(chapters: readonly TimelineChapter[], chapter: TimelineChapter): boolean {
  const larger = chapters.filter(({ article_count }) => article_count > chapter.article_count)
  const largest = Math.max(...chapters.map(({ article_count }) => article_count))
  return (
    larger.length < Math.ceil(chapters.length / TOP_ONE_IN) &&
    chapter.article_count >= OF_THE_LARGEST * largest &&
    larger.every((other) => distanceMs(other, chapter) > SAME_EVENT_MS)
  )
}

const distanceMs = (one: TimelineChapter, other: TimelineChapter): number =>
  Math.abs(Date.parse(one.created_at) - Date.parse(other.created_at))

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [below = 0, above = 0] = sorted.length % 2 === 0 ? sorted.slice(middle - 1) : [sorted[middle], sorted[middle]]
  return (below + above) / 2
}

/**
 * Persons who are new in the thread and stay. Places and organisations are ignored, because they vary with the
 * reporting.
 */
function newPersons(chapters: readonly TimelineChapter[], chapter: TimelineChapter, at: number): string | null {
  if (at < MIN_EARLIER) return null
  const known = new Set(chapters.slice(0, at).flatMap(({ entities }) => entities.map(({ id }) => id)))
  const later = chapters.slice(at + 1, at + 1 + NEXT_CHAPTERS)
  const stays = (id: string): boolean => {
    const named = later.filter(({ entities }) => entities.some((entity) => entity.id === id)).length
    return named >= MIN_LATER_CHAPTERS && named * 2 >= later.length
  }
  const names = chapter.entities
    .filter(({ type, article_count }) => type === 'PERSON' && article_count * 2 >= chapter.article_count)
    .filter(({ id }) => !known.has(id) && stays(id))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name)
  return names.length === 0 ? null : `New in the thread and named again in later chapters: ${names.join(', ')}.`
}

/** Events that end or turn a story, and the verb forms with which a headline reports that they have happened. */
const OUTCOMES: readonly (readonly [string, RegExp])[] = [
  [
    'a death or an attack',
    /\b(?:dies|died|dead(?! on arrival)|killed|kills|shot dead|fatally|assassinated|bombed|executed)\b/u,
  ],
  [
    'an arrest or a charge',
    /\b(?:arrested|detained|indicted|indicts|pleads? guilty|pled guilty|surrenders|charged with)\b/u,
  ],
  [
    'a verdict or a ruling',
    /\b(?:convicted|guilty|acquitted|sentenced|upholds|upheld|strikes down|struck down|overturns|overturned|blocks|blocked|halts|halted|reinstates|(?:court|judge|justices|jury) (?:\S+ ){0,4}(?:rules|ruled|rejects|refuses|dismisses|allows|lets|sides))\b/u,
  ],
  [
    'a resignation, a dismissal or a withdrawal',
    /\b(?:resigns|resigned|steps down|stepped down|quits|fires(?! (?:back|at|on|shots|\S*missiles?|ballistic))|(?:is|was|are|were|gets|got) fired|fired by|ousts|ousted|sacks|sacked|dismissed|drops out|withdraws|withdrew|pulls out|recuses)\b/u,
  ],
  [
    'an appointment or an election',
    /\b(?:nominates|appoints|appointed|confirmed|confirms|sworn in|swears in|elected|wins|won|beats|(?:picks|taps|names) (?:\S+ ){1,5}(?:as|for|to))\b/u,
  ],
  [
    'a vote or an act of law',
    /\b(?:passes|passed|approves|approved|votes (?:to|for|against)|voted|advances|(?:senate|house|congress|parliament|lawmakers|senators|committee|panel|board|voters|council) (?:\S+ ){0,2}(?:rejects|rejected|defeats|defeated)|collapses|shelves|shelved|vetoes|vetoed|signs(?! (?:of|that|point))|signed|repeals|repealed|cancels|canceled|cancelled|rescinds)\b/u,
  ],
  [
    'an agreement',
    /\b(?:agrees? (?:to|on)|agreed|reach(?:es|ed)? (?:\S+ ){0,3}(?:deal|agreement)|strikes? (?:\S+ ){0,3}deal|ceasefire|truce)\b/u,
  ],
  [
    'an attack or a sanction',
    /\b(?:imposes|imposed|retaliates|retaliated|bans|banned|declares? (?:war|\S* ?emergency|independence)|invades|launches|launched|slaps|hits back)\b/u,
  ],
]

/** Words that introduce an earlier event or a reason. */
const BACKGROUND =
  /\b(?:after|amid|following|despite|since|because|ahead of|before|as|over|until|unless|when|while|who|that)\b.*$/u
/** Words that mark an event as not happened or only claimed. */
const UNCERTAIN =
  /\b(?:could|would|may|might|should|must|will|can|can't|won't|if|not|no|never|set to|likely|unlikely|plans?|vows?|wants?|seeks?|urges?|threatens?|poised|expected|hopes?|warns?|wonders?|near|nears|close to|on track|about to|looks to|almost|again|poll|reasons?|claims?|says? (?:it|he|she|they)|prepares?)\b|n't\b/u
const QUOTED = /["“][^"”]*["”]|(?<!\p{L})'[^']{2,}'(?!\p{L})/gu
const NOT_A_REPORT = [
  'label_opinion',
  'label_analysis',
  'form_explained',
  'form_list',
  'form_takeaways',
  'form_why',
  'form_question',
  'form_yes_or_no',
  'says_i_we_you',
  'says_verdict',
]

/** The outcome that a headline reports, in words; `null` if it reports none, doubts it, or is an opinion. */
export function outcomeIn(headline: string): string | null {
  const cues = headlineCues(headline)
  if (NOT_A_REPORT.some((cue) => cues[cue] === true)) return null
  const lower = headline.toLowerCase().replace(/[‘’]/gu, "'").replace(QUOTED, '')
  const main = lower.replace(BACKGROUND, '')
  if (UNCERTAIN.test(main)) return null
  return OUTCOMES.find(([, forms]) => forms.test(main))?.[0] ?? null
}
