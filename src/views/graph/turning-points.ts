/** What decides whether a chapter of a thread is a turning point. */
export interface ToldChapter {
  readonly article_count: number
  /** Those that most of its articles name. */
  readonly entities: readonly {
    readonly id: string
    readonly name: string
    readonly type: string
    readonly article_count: number
  }[]
}

/** So many chapters before it make a rhythm. */
const EARLIER = 2
const TIMES_THE_RHYTHM = 2
const LEAST_ARTICLES = 4
/** A chapter that stands out is among one in so many of the thread, by articles. */
const TOP_ONE_IN = 4
/** A newcomer stays where at least half of so many next chapters name it, and two at least. */
const NEXT = 4
const STAYS_IN = 2
const NAMED = 3
const NOBODY = new Set(['DATE', 'MONEY'])

/**
 * Of each chapter of a thread, given in order of time: why it is a turning point, in a sentence or two; null: it is none.
 * It is one where it has at least twice the articles of the median chapter before it and is among the top quarter of the
 * thread, or where an entity that half of its articles name is new in the thread and stays. The first two are none.
 */
export const turningPoints = (chapters: readonly ToldChapter[]): readonly (string | null)[] =>
  chapters.map((chapter, at) => {
    if (at < EARLIER) return null
    const reasons = [standsOut(chapters, chapter, at), enters(chapters, chapter, at)].filter((why) => why !== null)
    return reasons.length === 0 ? null : reasons.join(' ')
  })

function standsOut(chapters: readonly ToldChapter[], { article_count: count }: ToldChapter, at: number): string | null {
  const rhythm = median(chapters.slice(0, at).map(({ article_count }) => article_count))
  const larger = chapters.filter(({ article_count }) => article_count > count).length
  const isTop = larger < Math.ceil(chapters.length / TOP_ONE_IN)
  if (count < LEAST_ARTICLES || count < TIMES_THE_RHYTHM * rhythm || !isTop) return null
  return `It has ${count} articles; the median of the chapters before it is ${rhythm}.`
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [below = 0, above = 0] = sorted.length % 2 === 0 ? sorted.slice(middle - 1) : [sorted[middle], sorted[middle]]
  return (below + above) / 2
}

function enters(chapters: readonly ToldChapter[], { entities, article_count }: ToldChapter, at: number): string | null {
  const known = new Set(chapters.slice(0, at).flatMap((chapter) => chapter.entities.map(({ id }) => id)))
  const later = chapters.slice(at + 1, at + 1 + NEXT)
  const stays = (id: string): boolean => {
    const named = later.filter((chapter) => chapter.entities.some((entity) => entity.id === id)).length
    return named >= STAYS_IN && named * 2 >= later.length
  }
  const names = entities
    .filter((entity) => entity.article_count * 2 >= article_count && !NOBODY.has(entity.type))
    .filter(({ id }) => !known.has(id) && stays(id))
    .slice(0, NAMED)
    .map(({ name }) => name)
  return names.length === 0 ? null : `New in the thread and named again in later chapters: ${names.join(', ')}.`
}
