import { DAY_MS } from '../domain/days.ts'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { sha256 } from '../events/ids.ts'
import { parseMoment } from '../domain/intake/articles.ts'
import { bodyOf } from '../language/body-text.ts'
import { ofDesk, ofHeadline, ofTopic, type QualityLabels } from './category-labels.ts'
import { jsonLines, linesOf, textOf } from './labelled-file.ts'

/** An article of which somebody said, in one way or another, what it is about. */
export interface CategoryArticle {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly labels: QualityLabels
  /** 0 to 4: what is in the first is never learned from. */
  readonly fold: number
}

const FOLDS = 5
const HELD_OUT = 0

export const isHeldOut = ({ fold }: Pick<CategoryArticle, 'fold'>): boolean => fold === HELD_OUT
/** Those that are learned from. */
export const LEARNED_FOLDS = Array.from({ length: FOLDS }, (_, fold) => fold).filter((fold) => fold !== HELD_OUT)

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? null)

const Line = z.object({
  id: z.string(),
  title: text,
  text,
  published_date: text,
  story: text,
  /** What its editors filed it under. */
  topic: text,
  /** The desk of a headline. */
  category: text,
})

/** Labelled articles (JSONL with topics or desks, also gzip) or headlines (TSV); none of a file that labels nothing. */
export function categoryArticles(file: string): CategoryArticle[] {
  const lines = textOf(readFileSync(file))
  return file.endsWith('.tsv') ? headlines(lines) : jsonLines(lines, Line).flatMap(articleOf)
}

function articleOf(line: z.infer<typeof Line>): CategoryArticle[] {
  const { id, title, text: whole, topic, category } = line
  const said = category === null ? byTopic(line, topic) : byDesk(line, category)
  return said === null ? [] : [{ id, title: title ?? '', body: bodyOf(title, whole ?? title ?? ''), ...said }]
}

type CategoryLabels = Pick<CategoryArticle, 'labels' | 'fold'>

const byDesk = ({ story }: z.infer<typeof Line>, desk: string): CategoryLabels => ({
  labels: ofDesk(desk, story ?? ''),
  fold: foldOf(`story ${story ?? ''}`),
})

function byTopic({ published_date }: z.infer<typeof Line>, topic: string | null): CategoryLabels | null {
  if (topic === null) return null
  const published = published_date === null ? 0 : (parseMoment(published_date) ?? 0)
  return { labels: ofTopic(topic), fold: foldOf(`week ${Math.floor(published / (7 * DAY_MS))}`) }
}

/** The first line names the columns: categories, headline. */
const headlines = (lines: string): CategoryArticle[] =>
  linesOf(lines)
    .slice(1)
    .filter(Boolean)
    .map((line) => {
      const [named = '', title = ''] = line.split('\t')
      return { id: title, title, body: '', labels: ofHeadline(named), fold: foldOf(title) }
    })

/** The same story, the same week, the same headline is always in the same fold. */
const foldOf = (text: string): number => sha256(`categories ${text}`).readUInt32BE(0) % FOLDS
