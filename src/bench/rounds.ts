import type { ArticleIngested } from '../events/articles.ts'
import { processTree } from './processes.ts'

/** Articles of one round. */
export const BATCH = 16

/** How often a piece of work is done before it counts, and how often it counts. */
export interface BenchRoundCounts {
  readonly warmUp: number
  readonly counted: number
}

/** Work on 16 articles after the other, what each costs an article; those of the warm-up are left out. */
export async function rounds<Item, Cost>(
  items: readonly Item[],
  { warmUp, counted }: BenchRoundCounts,
  measure: (batch: readonly Item[]) => Promise<Cost>,
): Promise<readonly Cost[]> {
  const costs: Cost[] = []
  for (let round = 0; round < warmUp + counted; round++) {
    const start = (round * BATCH) % items.length
    costs.push(await measure([...items, ...items].slice(start, start + BATCH)))
  }
  return costs.slice(warmUp)
}

/** CPU milliseconds an article. */
export interface RoundCost {
  /** This process. */
  readonly own: number
  /** The processes below it: the models'. */
  readonly models: number
}

/** What a piece of work on so many articles costs an article. */
export async function costOf(articles: number, work: () => Promise<void>): Promise<RoundCost> {
  const modelsBefore = modelsMs() // reading the table of processes costs this one something: outside of its own time
  const ownBefore = ownMs()
  await work()
  const own = (ownMs() - ownBefore) / articles
  return { own, models: (modelsMs() - modelsBefore) / articles }
}

function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const modelsMs = (): number =>
  processTree(process.pid).reduce((sum, { pid, cpuMs }) => sum + (pid === process.pid ? 0 : cpuMs), 0)

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** How long the texts are to be, in word pieces. */
export interface Size {
  /** Of each text, given the title that comes with it. */
  readonly pieces: (title: string) => number
  /** Where each word piece of a text ends, in characters. */
  readonly pieceEnds: (text: string) => readonly number[]
}

/** Each text cut to size; one that is too short is lengthened by those after it. */
export function ofSize<Article extends Pick<ArticleIngested, 'title' | 'text'>>(
  given: readonly Article[],
  { pieces, pieceEnds }: Size,
): readonly Article[] {
  const made: Article[] = []
  let [text, first] = ['', 0]
  for (const [i, article] of given.entries()) {
    text = `${text}\n\n${article.text}`.trim()
    const opening = given[first] ?? article
    const end = pieceEnds(text)[pieces(opening.title ?? '') - 1]
    if (end === undefined) continue
    made.push({ ...opening, text: text.slice(0, end) })
    text = ''
    first = i + 1
  }
  if (made.length === 0) throw new Error('The texts together are shorter than one article is to be')
  return made
}
