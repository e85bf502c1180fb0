import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { DAY_MS } from '../domain/days.ts'
import { parseMoment } from '../domain/intake/articles.ts'
import { languageOf } from '../language/language-of.ts'
import { jsonLines, optionalText, textOf } from './labelled-file.ts'

/** A line of a labelled file. A headline has no `text`; an article without a gold story is a distractor. */
const Line = z
  .object({
    id: z.string(),
    title: optionalText,
    text: optionalText,
    url: optionalText,
    source: optionalText,
    published_date: optionalText,
    story: optionalText,
    /** ISO 639-1; recognised if the file does not say. */
    language: optionalText,
  })
  .transform(({ text, published_date, ...line }) => ({
    ...line,
    text: text ?? line.title ?? '',
    /** Milliseconds since 1970. */
    published: published_date === null ? null : parseMoment(published_date),
  }))

/** As Layer 0 recognises it. */
const recognised = ({ title, text }: z.infer<typeof Line>): Promise<string> =>
  languageOf(bodyOf({ title, text }) || text, title ?? '')

/** An article of a labelled file. */
export type LabelledArticle = Readonly<z.infer<typeof Line>> & { readonly language: string }

/** Articles in date order, undated ones first, otherwise in file order. Reads JSONL, optionally gzipped. */
export async function labelledArticles(file: string): Promise<LabelledArticle[]> {
  const lines = jsonLines(textOf(await readFile(file)), Line)
  const articles = lines.map(async (line) => ({ ...line, language: line.language ?? (await recognised(line)) }))
  return (await Promise.all(articles)).sort(byDate)
}

/** Throws if labels name an unknown article: the file cannot be measured with these labels. */
export function checkKnown(labels: string, ids: readonly string[], known: ReadonlySet<string>): void {
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw new Error(`article ${missing} of the ${labels} is not in the file of articles`)
}

/** Each pair of two different items once, the earlier item first. */
export const pairsOf = <Item>(items: readonly Item[]): (readonly [Item, Item])[] =>
  items.flatMap((item, i) => items.slice(i + 1).map((other) => [item, other] as const))

const byDate = (a: LabelledArticle, b: LabelledArticle): number =>
  (a.published ?? -Infinity) - (b.published ?? -Infinity) || 0

/** Characters of the body that are kept in addition to the title: a headline with its lead, as in many feeds. */
const LEAD_CHARACTERS = 300
const PARTS = 4

/** Variants of the labelled articles: texts as short as in many feeds, or more articles per day. */
export const VARIANTS = {
  /** Title and 300 characters of the body. */
  lead: (articles) => articles.map((article) => withBody(article, bodyOf(article).slice(0, LEAD_CHARACTERS))),
  /** The title alone. */
  headline: (articles) => articles.map((article) => withBody(article, '')),
  /** Four times as many articles per day: the time span of the file is cut into four parts, which are overlaid. */
  dense: (articles) => overlaid(articles),
} as const satisfies Record<string, (articles: readonly LabelledArticle[]) => LabelledArticle[]>

export type Variant = keyof typeof VARIANTS

const bodyOf = ({ title, text }: Pick<LabelledArticle, 'title' | 'text'>): string =>
  title !== null && text.startsWith(title) ? text.slice(title.length).trimStart() : text

/** An article without a title keeps its text. */
const withBody = (article: LabelledArticle, body: string): LabelledArticle =>
  article.title === null ? article : { ...article, text: body === '' ? article.title : `${article.title}\n${body}` }

function overlaid(articles: readonly LabelledArticle[]): LabelledArticle[] {
  const days = articles.flatMap(({ published }) => (published === null ? [] : [Math.floor(published / DAY_MS)]))
  const first = days.reduce((min, day) => Math.min(min, day), Infinity)
  const last = days.reduce((max, day) => Math.max(max, day), -Infinity)
  const part = Math.ceil((last - first + 1) / PARTS) * DAY_MS
  const start = first * DAY_MS
  return articles
    .map((article) =>
      article.published === null ? article : { ...article, published: start + ((article.published - start) % part) },
    )
    .sort(byDate)
}
