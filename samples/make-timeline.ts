/**
 * Makes samples/ntrex.jsonl.gz and samples/timeline.jsonl (see NOTICE.md):
 * `npx tsx samples/make-timeline.ts ECBPLUS.jsonl.gz NTREX.jsonl.gz`, the two corpora with their labels. The labels only
 * decide when an article is published; none of them is written.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { canonicalUrl } from '../src/events/canonical-url.ts'
import { DOCUMENTS, EARLY_VERSIONS, EVENTS, LEFT_OUT, TITLES, type PlannedCoverage, type PlannedEvent } from './timeline-plan.ts'

interface CorpusRow {
  readonly id: string
  readonly story: string
  readonly text: string
  readonly title: string
  readonly language: string
}

interface SampleRow {
  readonly url: string
  readonly title: string | null
  readonly source: string
  readonly text: string
}

const rowsOf = <Row>(file: string | URL): Row[] =>
  gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The sample's articles of each ECB+ event, in the order of their first publication where the address gives it. */
function eventArticles(corpus: readonly CorpusRow[]): Map<string, SampleRow[]> {
  const texts = corpus.map(({ story, text }) => ({ story, text: letters(text) }))
  const events = new Map<string, SampleRow[]>()
  for (const article of rowsOf<SampleRow>(new URL('ecbplus.jsonl.gz', import.meta.url))) {
    if (article.title === null || article.text.length < 200 || LEFT_OUT.test(article.url)) continue
    const start = letters(article.text).slice(0, 160)
    const story = texts.find(({ text }) => text.includes(start))?.story
    if (story === undefined) throw new Error(`${article.url} is not in the corpus`)
    events.set(story, [...(events.get(story) ?? []), article])
  }
  for (const articles of events.values()) articles.sort((a, b) => (dateIn(a.url) < dateIn(b.url) ? -1 : 1))
  return events
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The date in an address as `2013-05-02`, as far as it is there; empty if there is none. */
function dateIn(url: string): string {
  const found = /((?:19|20)\d\d)(?:[/_-]?(0[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))?[a-z]*(?:[/_-]?(\d\d?)\b)?/i.exec(url)
  if (found === null) return ''
  const [, year = '', month = '', day = ''] = found
  const number = MONTHS.indexOf(month.toLowerCase())
  return [year, number < 0 ? month : `${number + 1}`.padStart(2, '0'), day.padStart(2, '0')].join('-')
}

const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language' })

interface TranslatedArticle extends SampleRow {
  readonly language: string
}

/** The chosen translations of each document, the English text first. */
function documentArticles(corpus: readonly CorpusRow[]): Map<string, TranslatedArticle[]> {
  const documents = new Map<string, TranslatedArticle[]>()
  for (const [id, { languages }] of Object.entries(DOCUMENTS)) {
    const english = corpus.find((row) => row.id === id)
    if (english === undefined) throw new Error(`${id} is not in the corpus`)
    const chosen = languages.flatMap((language) => {
      const row = language === 'en' ? english : translation(english, language, corpus)
      return row === null ? [] : [articleOf(row, id)]
    })
    documents.set(id, chosen)
  }
  return documents
}

/**
 * The translation of a document. Several documents may be labelled as one event: of their translations, the one with
 * the most names and numerals of the English text.
 */
function translation(english: CorpusRow, language: string, corpus: readonly CorpusRow[]): CorpusRow | null {
  const marks = marksOf(english)
  const found = corpus
    .filter((row) => row.language === language && row.story === english.story)
    .map((row) => ({ row, shared: overlap(marks, marksOf(row)) }))
    .sort((a, b) => b.shared - a.shared)
  return found[0]?.row ?? null
}

const marksOf = ({ title, text }: CorpusRow): ReadonlySet<string> =>
  new Set(`${title} ${text}`.match(/\p{Lu}[\p{Ll}’']{3,}|\d+/gu) ?? [])

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((mark) => other.has(mark)).length
  return both / Math.max(1, one.size + other.size - both)
}

function articleOf({ title, text, language }: CorpusRow, id: string): TranslatedArticle {
  const name = LANGUAGE_NAMES.of(language) ?? language
  return {
    url: `https://${language}.ntrex-${language}.example/${id.slice('ntrex-'.length)}`,
    title: title.replace(/\.$/, ''),
    source: language === 'en' ? 'NTREX-128 (English)' : `NTREX-128 (${name} translation)`,
    text,
    language,
  }
}

interface TimelineItem {
  /** Seconds after the import; negative before it. */
  readonly seconds: number
  /** URL of an article, or platform and id of a post. */
  readonly item: string
  /** Length of an early version. */
  readonly characters?: number
  readonly title?: string
}

function planned(articles: readonly SampleRow[], { periods, live }: PlannedEvent): { past: TimelineItem[]; live: string[] } {
  const before = articles.slice(0, articles.length - live)
  const phases = phasesOf(before, periods.length)
  const past = phases.flatMap((phase, at) => {
    const period = periods[at]
    return period === undefined ? [] : phase.map(({ url }, i) => ({ seconds: momentOf(i, phase.length, period), item: url }))
  })
  return { past, live: articles.slice(articles.length - live).map(({ url }) => url) }
}

const COURT = /trial|jury|guilty|sentence|convicted|footage|death for/i

/** Articles of an event of two phases, crime and trial: by year, or by the headline if the address has no year. */
function phasesOf(articles: readonly SampleRow[], phases: number): SampleRow[][] {
  if (phases === 1) return [[...articles]]
  const years = articles.map(({ url }) => dateIn(url).slice(0, 4)).filter((year) => year !== '')
  const first = years.sort()[0] ?? ''
  const isFirst = ({ url, title }: SampleRow): boolean => {
    const year = dateIn(url).slice(0, 4)
    return year === '' ? !COURT.test(title ?? '') : year === first
  }
  return [articles.filter(isFirst), articles.filter((article) => !isFirst(article))]
}

const HOUR_S = 3_600

function momentOf(i: number, count: number, { from, to, shape }: PlannedCoverage): number {
  const share = count === 1 ? 0 : i / (count - 1)
  const passed = shape === 'burst' ? share ** 1.7 : 1 - (1 - share) ** 2.2
  // Not on the hour: a few minutes that follow from the place in the order.
  return Math.round((-from + (from - to) * passed) * HOUR_S) - ((i * 397) % 600)
}

/** Articles of the running events in turn: one every 15 seconds at first, then more slowly, over some two hours. */
function liveMoments(queues: readonly (readonly string[])[]): TimelineItem[] {
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? []))
  return turns.flat().map((item, i) => ({ item, seconds: i < 12 ? 15 * (i + 1) : 180 + 25 * (i - 11) ** 2 }))
}

/** Three articles first appear with their first sentences; the whole text follows as a revision. */
function withEarlyVersion(planned: TimelineItem): TimelineItem[] {
  const early = EARLY_VERSIONS[planned.item]
  if (early === undefined) return [planned]
  const { characters, minutes } = early
  return [
    { ...planned, characters },
    { ...planned, seconds: planned.seconds + minutes * 60 },
  ]
}

function withTitle(planned: TimelineItem): TimelineItem {
  const title = TITLES[planned.item]
  return title === undefined ? planned : { ...planned, title }
}

interface DemonstrationPost {
  readonly platform: string
  readonly post_id: string
  readonly article_url: string
  readonly created_at: string
}

/** Posts appear from half an hour after the article that they link to, as far apart as they were written. */
function withPosts(articles: readonly TimelineItem[]): TimelineItem[] {
  const posts = readFileSync(new URL('posts/demonstration.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as DemonstrationPost)
  const dated = posts.map(({ platform, post_id, article_url, created_at }) => {
    const article = articles.find(({ item }) => canonicalUrl(item) === canonicalUrl(article_url))
    if (article === undefined) throw new Error(`${post_id} links to an article that is not on the timeline`)
    const first = Math.min(...posts.filter((post) => post.article_url === article_url).map(createdAt))
    return { seconds: article.seconds + 1_800 + (createdAt({ created_at }) - first) / 1_000, item: `${platform}:${post_id}` }
  })
  return [...articles, ...dated].sort((a, b) => a.seconds - b.seconds)
}

const createdAt = ({ created_at }: Pick<DemonstrationPost, 'created_at'>): number => Date.parse(created_at)

function main([ecbplus, ntrex]: readonly string[]): void {
  if (ecbplus === undefined || ntrex === undefined) {
    throw new Error('usage: npx tsx samples/make-timeline.ts ECBPLUS.jsonl.gz NTREX.jsonl.gz')
  }
  const events = eventArticles(rowsOf(ecbplus))
  const documents = documentArticles(rowsOf(ntrex))
  const plans = [
    ...Object.entries(EVENTS).map(([story, plan]) => planned(events.get(story) ?? [], plan)),
    ...Object.entries(DOCUMENTS).map(([id, plan]) => planned(documents.get(id) ?? [], plan)),
  ]
  const timeline = [...plans.flatMap(({ past }) => past), ...liveMoments(plans.map(({ live }) => live))].sort(
    (a, b) => a.seconds - b.seconds,
  )
  const lines = withPosts(timeline.map(withTitle).flatMap(withEarlyVersion)).map((item) => JSON.stringify(item))
  writeFileSync(new URL('timeline.jsonl', import.meta.url), `${lines.join('\n')}\n`)
  const texts = [...documents.values()].flat().sort((a, b) => (a.url < b.url ? -1 : 1))
  const translations = texts.map(({ language: _, ...article }) => JSON.stringify(article)).join('\n')
  writeFileSync(new URL('ntrex.jsonl.gz', import.meta.url), gzipSync(`${translations}\n`, { level: 9 }))
  process.stdout.write(`${timeline.length} articles, ${texts.length} of them texts of NTREX-128\n`)
}

main(process.argv.slice(2))
