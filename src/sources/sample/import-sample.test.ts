import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { projectPath } from '../../config/project-path.ts'
import { articlesIngested } from '../../events/articles.ts'
import { discoursePosts } from '../../events/discourse.ts'
import type { Topic } from '../../events/topic.ts'
import { groupBy } from '../../domain/group-by.ts'
import { intake } from '../../domain/intake/articles.ts'
import { postIntake } from '../../domain/intake/posts.ts'
import type { FilesPorts } from '../import-files.ts'
import { importSample } from './import-sample.ts'
import { datedFields, sampleCorrections, sampleTimeline, type SampleTimelineItem } from './timeline.ts'

const FOLDER = projectPath('samples')
const AT = Date.UTC(2026, 10, 28, 12)
const HOUR_S = 3_600

let timeline: readonly SampleTimelineItem[]
beforeAll(async () => {
  timeline = await sampleTimeline(FOLDER)
})

describe('the timeline', () => {
  it('covers 14 days and two hours, in order', () => {
    const seconds = timeline.map((item) => item.seconds)

    expect(seconds).toEqual([...seconds].sort((a, b) => a - b))
    expect(seconds[0]).toBeGreaterThan(-14 * 24 * HOUR_S)
    expect(seconds[0]).toBeLessThan(-13 * 24 * HOUR_S)
    expect(seconds.at(-1)).toBeLessThan(2 * HOUR_S)
  })

  it('has at least ten articles in the first three minutes, and 30 in the six hours before', () => {
    const between = (from: number, to: number): number =>
      timeline.filter(({ kind, seconds }) => kind === 'article' && seconds > from && seconds <= to).length

    expect(between(0, 180)).toBeGreaterThanOrEqual(10)
    expect(between(-6 * HOUR_S, 0)).toBeGreaterThanOrEqual(25)
  })

  it('contains articles and posts that are accepted, most with a title', () => {
    const refused = timeline.filter((item) => {
      const fields = datedFields(item, AT)
      return (item.kind === 'article' ? intake(fields) : postIntake(fields)).kind === 'refused'
    })

    expect(refused).toEqual([])
    expect(timeline.filter(({ kind, fields }) => kind === 'article' && fields['title'] === null)).toEqual([])
  })

  it('has early versions of articles, whose whole text follows', () => {
    const versions = groupBy(
      timeline.filter(({ kind }) => kind === 'article'),
      ({ fields }) => String(fields['url']),
    )
    const revised = [...versions.values()].filter(({ length }) => length > 1)

    expect(revised).toHaveLength(3)
    for (const [first, second] of revised) {
      const [early, whole] = [String(first?.fields['text']), String(second?.fields['text'])]
      expect(whole.startsWith(early)).toBe(true)
      expect(early).toMatch(/[.”"]$/)
    }
  })

  it('corrects stories of articles that are on it', async () => {
    const urls = new Set(timeline.filter(({ seconds }) => seconds <= 0).map(({ fields }) => fields['url']))
    const corrections = await sampleCorrections(FOLDER)

    expect(corrections).not.toEqual([])
    expect(corrections.flatMap(({ article, other }) => [article, other]).filter((url) => !urls.has(url))).toEqual([])
  })
})

describe('an import', () => {
  const codec = new PlainCodec()
  let log: MemoryLog
  let now: number
  beforeEach(() => {
    log = new MemoryLog()
    now = AT
  })

  const importing = (over: { past?: boolean; stream?: boolean } = {}) =>
    importSample({ folder: FOLDER, namespace: 'shared', at: AT, past: true, stream: true, wait: false, ...over }, {
      log: async () => log,
      codec: async () => codec,
      clock: { now: () => now, sleep: async (ms: number) => void (now += ms) },
      progress: { print: () => undefined, update: () => undefined, end: () => undefined },
    } as unknown as FilesPorts)

  async function eventsOf<Event extends { event_id: string }>(topic: Topic<Event>): Promise<Event[]> {
    const decoded = await Promise.all(
      log.records(topic.name).map(({ value }) => codec.decode(topic, value ?? Buffer.alloc(0))),
    )
    return decoded.flatMap((one) => (one.kind === 'event' ? [one.event] : []))
  }

  it('publishes everything once, each article with its date', async () => {
    const { tally, posts } = await importing()

    const articles = await eventsOf(articlesIngested)
    expect(tally).toMatchObject({ refusals: [], revisions: 3, repeats: 0 })
    expect(articles).toHaveLength(tally.accepted)
    expect(tally.accepted + posts).toBe(timeline.length)
    expect(articles.every(({ published_date }) => published_date !== null)).toBe(true)
    expect(new Set(articles.map(({ event_id }) => event_id)).size).toBe(articles.length)
  })

  it('waits for the time of what is dated later', async () => {
    await importing({ past: false })

    expect(now).toBe(AT + (timeline.at(-1)?.seconds ?? 0) * 1_000)
    const dates = (await eventsOf(articlesIngested)).map(({ published_date }) => Number(published_date))
    expect(dates.every((date) => date > AT)).toBe(true)
  })

  it('ends without it if it is not streamed, and publishes the same events when repeated', async () => {
    await importing({ stream: false })
    const first = [...(await eventsOf(articlesIngested)), ...(await eventsOf(discoursePosts))]
    log = new MemoryLog()
    now += 50 * HOUR_S * 1_000
    await importing({ stream: false })
    const second = [...(await eventsOf(articlesIngested)), ...(await eventsOf(discoursePosts))]

    expect(first.length).toBe(timeline.filter(({ seconds }) => seconds <= 0).length)
    expect(second.map(({ event_id }) => event_id)).toEqual(first.map(({ event_id }) => event_id))
  })
})
