import type { ArticleIngested, ArticleScored } from '../events/articles.ts'
import type { Stage } from '../runtime/shapes.ts'
import { processTree } from './processes.ts'

/** Word pieces of an article as it is measured, its title included. */
export const PIECES = 600
/** Articles of one round, and of one padded batch. */
const BATCH = 16
const ROUNDS = 15
/** Until the code is compiled and the words of newspapers are known: a service runs for days. */
const WARM_UP = 30

export interface Layer0Parts {
  readonly scored: Stage<ArticleIngested, ArticleScored>
  /** Where each word piece of a text ends, in characters. */
  readonly pieceEnds: (text: string) => readonly number[]
  /** The same windows in this process in fp32, padded; see `paddedBaseline`. */
  readonly baseline: {
    encode(articles: readonly { readonly title: string; readonly body: string }[]): Promise<void>
  }
}

/** CPU milliseconds an article of 600 word pieces; each the median of the rounds. */
export interface Layer0Figure {
  readonly articles: number
  /** The stage's own process: all of Layer 0 besides the encoder. */
  readonly own_ms: number
  readonly encoder_ms: number
  readonly whole_ms: number
  /** The encoder's work in fp32 with padded batches. */
  readonly fp32_padded_ms: number
  /** fp32 with padding, over the encoder's. */
  readonly ratio: number
}

/** Layer 0 whole, and then the usual way of encoding: it would leave its garbage to the other if they took turns. */
export async function benchLayer0(given: readonly ArticleIngested[], parts: Layer0Parts): Promise<Layer0Figure> {
  const articles = ofSize(given, parts.pieceEnds)
  const costs = await rounds(articles, async (batch) => await scoring(batch, parts.scored))
  const [own, encoder] = [median(costs.map((cost) => cost.own)), median(costs.map((cost) => cost.encoder))]
  const padded = median(await rounds(articles, async (batch) => await encoding(batch, parts.baseline)))
  return {
    articles: articles.length,
    own_ms: own,
    encoder_ms: encoder,
    whole_ms: median(costs.map((cost) => cost.own + cost.encoder)),
    fp32_padded_ms: padded,
    ratio: padded / encoder,
  }
}

async function rounds<Cost>(
  articles: readonly ArticleIngested[],
  measure: (batch: readonly ArticleIngested[]) => Promise<Cost>,
): Promise<readonly Cost[]> {
  const costs: Cost[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const start = (round * BATCH) % articles.length
    costs.push(await measure([...articles, ...articles].slice(start, start + BATCH)))
  }
  return costs.slice(WARM_UP)
}

async function scoring(batch: readonly ArticleIngested[], scored: Layer0Parts['scored']) {
  const inputs = batch.map((event, offset) => {
    const place = { topic: 'bench', partition: 0, offset }
    return { event, topic: place.topic, place, loggedAt: 1 }
  })
  const encoderBefore = encoderMs() // reading the table of processes costs this one something: outside of its own time
  const ownBefore = ownMs()
  const outcomes = await scored.handle(inputs)
  const own = (ownMs() - ownBefore) / batch.length
  if (outcomes.some(({ kind }) => kind !== 'emit')) throw new Error('Layer 0 refused an article of the bench')
  return { own, encoder: (encoderMs() - encoderBefore) / batch.length }
}

async function encoding(batch: readonly ArticleIngested[], baseline: Layer0Parts['baseline']): Promise<number> {
  const before = ownMs()
  await baseline.encode(batch.map(({ title, text }) => ({ title: title ?? '', body: text })))
  return (ownMs() - before) / batch.length
}

/** Each text cut at 600 pieces; one that is too short is lengthened by those after it. */
export function ofSize(
  given: readonly ArticleIngested[],
  pieceEnds: Layer0Parts['pieceEnds'],
): readonly ArticleIngested[] {
  const made: ArticleIngested[] = []
  let [text, first] = ['', 0]
  for (const [i, article] of given.entries()) {
    text = `${text}\n\n${article.text}`.trim()
    const opening = given[first] ?? article
    const end = pieceEnds(text)[PIECES - 1 - pieceEnds(opening.title ?? '').length]
    if (end === undefined) continue
    made.push({ ...opening, text: text.slice(0, end) })
    text = ''
    first = i + 1
  }
  if (made.length === 0) throw new Error(`The texts together have no ${PIECES} word pieces`)
  return made
}

function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const encoderMs = (): number =>
  processTree(process.pid).reduce((sum, { pid, cpuMs }) => sum + (pid === process.pid ? 0 : cpuMs), 0)

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
