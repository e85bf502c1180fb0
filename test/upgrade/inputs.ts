import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { projectPath } from '../../src/config/project-path.ts'
import { articlesIngested, type ArticleIngested } from '../../src/events/articles.ts'
import { discoursePosts, PLATFORMS, type PostObserved } from '../../src/events/discourse.ts'
import { clockTicked } from '../../src/events/settings.ts'
import type { Topic } from '../../src/events/topic.ts'
import { tick } from '../../src/sources/scheduler.ts'

/** An event of a source, and when it enters the log, milliseconds since 1970. */
export interface RecordedInput {
  readonly at: number
  readonly topic: Topic<never>
  readonly event: unknown
}

const inputOf = <Event>(at: number, topic: Topic<Event>, event: Event): RecordedInput => ({ at, topic, event })

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Monday 5 January 2026, 00:00 UTC. */
export const FIRST_DAY = Date.UTC(2026, 0, 5)
/** Texts of the sample; about a quarter more articles are made of them. */
const STEADY = 140
const STEADY_EVERY_MS = 50 * MINUTE_MS
const LAST_DAY = FIRST_DAY + Math.ceil((STEADY * STEADY_EVERY_MS) / DAY_MS) * DAY_MS
/** Late enough that the trends it makes are detected after the upgrade. */
const BURST = 12
const BURST_AT = FIRST_DAY + 4 * DAY_MS + 2 * HOUR_MS
const BURST_EVERY_MS = 20 * MINUTE_MS
const BURST_ABOUT = 'Brooklyn'

const SampleText = z.object({
  url: z.string(),
  title: z.string().nullable().default(null),
  source: z.string(),
  text: z.string(),
})
type SampleText = z.infer<typeof SampleText>
const SamplePost = z.object({
  platform: z.enum(PLATFORMS),
  post_id: z.string(),
  url: z.string().nullable(),
  author: z.string().nullable(),
  text: z.string(),
  reply_to: z.string().nullable(),
  article_url: z.string().nullable(),
  score: z.number().nullable(),
  deleted: z.boolean(),
})

const linesOf = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)

function samplePosts() {
  const text = readFileSync(projectPath('samples/posts/demonstration.jsonl'), 'utf8')
  return linesOf(text).map((line) => SamplePost.parse(line))
}

interface DatedText extends SampleText {
  /** When the article enters the log. */
  readonly at: number
}

/** The articles that posts are about and the first others, at a steady rate, and many about one place in one night. */
function sampleTexts(): readonly DatedText[] {
  const text = gunzipSync(readFileSync(projectPath('samples/ecbplus.jsonl.gz'))).toString('utf8')
  const discussed = new Set(samplePosts().map(({ article_url }) => article_url))
  const all = linesOf(text).map((line) => SampleText.parse(line))
  const first = all.filter(({ url }) => !discussed.has(url)).slice(0, STEADY - discussed.size)
  const steady = all.filter((one) => discussed.has(one.url) || first.includes(one))
  const burst = all.filter((one) => one.text.includes(BURST_ABOUT) && !steady.includes(one)).slice(0, BURST)
  return [
    ...steady.map((one, i) => ({ ...one, at: FIRST_DAY + i * STEADY_EVERY_MS })),
    ...burst.map((one, i) => ({ ...one, at: BURST_AT + i * BURST_EVERY_MS })),
  ]
}

/** Everything that sources write, in the order of the log: articles, revisions, reprints, repeats, posts and ticks. */
export function recordedInputs(): readonly RecordedInput[] {
  const articles = sampleTexts().flatMap(articleInputs)
  return [...articles, ...postInputs(articles), ...tickInputs()].sort((a, b) => a.at - b.at)
}

/** Some have no date, some are of a private namespace, some are revised, reprinted or sent twice. */
function articleInputs({ at, ...sample }: DatedText, i: number): readonly RecordedInput[] {
  const first: ArticleIngested = {
    ...{ event_id: '', job_id: null, author: null, request: null, producer: 'import-jsonl', text_source: null },
    ...sample,
    namespace: i % 10 === 7 ? 'mine' : 'shared',
    published_date: i % 9 === 4 ? null : at - 20 * MINUTE_MS,
  }
  const revised = { ...first, text: `${first.text} The story was updated with a statement of the police.` }
  const reprint = {
    ...first,
    ...{ url: `https://www.gazette.example/${i}`, source: 'Example Gazette', title: `${first.title ?? ''} - Gazette` },
    published_date: at + 30 * MINUTE_MS,
  }
  return [
    inputOf(at, articlesIngested, first),
    ...(i % 12 === 3 ? [inputOf(at + 45 * MINUTE_MS, articlesIngested, reprint)] : []),
    ...(i % 15 === 6 ? [inputOf(at + 2 * HOUR_MS, articlesIngested, revised)] : []),
    ...(i % 40 === 11 ? [inputOf(at + 3 * HOUR_MS, articlesIngested, first)] : []),
  ]
}

/** Posts follow their article, one every 20 minutes; some are seen again with another score, one is deleted. */
function postInputs(articles: readonly RecordedInput[]): readonly RecordedInput[] {
  const arrival = new Map(articles.map(({ at, event }) => [(event as ArticleIngested).url, at]))
  return samplePosts().flatMap((post, i) => {
    const at = (arrival.get(post.article_url) ?? FIRST_DAY) + (i + 3) * 20 * MINUTE_MS
    const observed: PostObserved = {
      ...post,
      ...{ event_id: '', namespace: 'shared', cluster_id: null, created_at: at - 10 * MINUTE_MS },
    }
    return [
      inputOf(at, discoursePosts, observed),
      ...(i % 7 === 2 ? [inputOf(at + 5 * HOUR_MS, discoursePosts, { ...observed, score: 99 })] : []),
      ...(i === 9 ? [inputOf(at + 6 * HOUR_MS, discoursePosts, { ...observed, text: '', deleted: true })] : []),
    ]
  })
}

/** The scheduler every three hours, and a tick after which nothing is held back. */
function tickInputs(): readonly RecordedInput[] {
  const times = Array.from(
    { length: (LAST_DAY + 2 * DAY_MS - FIRST_DAY) / (3 * HOUR_MS) },
    (_, i) => (i + 1) * 3 * HOUR_MS,
  )
  const ticks = times.flatMap((after) => ['mine', 'shared'].map((namespace) => tick(namespace, FIRST_DAY + after)))
  const last = ['mine', 'shared'].map((namespace) => ({ ...tick(namespace, LAST_DAY + 3 * DAY_MS), flush: true }))
  return [...ticks, ...last].map((event) => inputOf(event.tick_at + 1, clockTicked, event))
}
