import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { KafkaLog } from '../../../src/adapters/kafka/kafka-log.ts'
import { RegistryCodec } from '../../../src/adapters/registry/codec.ts'
import { anyFreePort } from '../../../src/engines/free-port.ts'
import { discoursePolled, discoursePosts, type PostObserved } from '../../../src/events/discourse.ts'
import type { Topic } from '../../../src/events/topic.ts'
import { startStandIn, type StandIn } from '../../platforms/stand-in.ts'
import type { StandInPost } from '../../platforms/world.ts'
import { newCaller, type AskCaller } from '../ask.ts'
import { asJsonl, sampleArticles } from '../dated-sample.ts'
import { startStory, stopAllStories, type StoryService } from '../story.ts'
import { until } from '../until.ts'

/** One import, and rounds of three connectors. */
const SLOW = { timeout: 400_000 }

const MAIN = new URL('../../../dist/main.js', import.meta.url).pathname
const VARIETY = 'https://variety.com/2013/film/news/ellen-degeneres-to-host-oscars-1200566939/'

const Clusters = z.object({ clusters: z.array(z.object({ id: z.string(), title: z.string() })) })
const Enrichments = z.object({
  enrichments: z.array(
    z.object({
      platform: z.string(),
      source_status: z.string(),
      comment_count_analyzed: z.number(),
      sentiment_score: z.number(),
      controversy_score: z.number(),
    }),
  ),
})
type ConnectorsEnrichment = z.output<typeof Enrichments>['enrichments'][number]

/** Posts about the host of the Oscars on all three platforms: one, and two replies. */
function posts(): readonly StandInPost[] {
  const of = (platform: StandInPost['platform'], id: string, text: string): StandInPost => ({
    ...{
      platform,
      id: `${platform}${id}`,
      parent: id === '1' ? null : `${platform}1`,
      author: `${platform} ${id}`,
      text,
    },
    ...{ created_at: Date.now() - 3_600_000 + Number(id) * 1000, score: 5, deleted: false },
    link: id === '1' ? VARIETY : null,
  })
  return (['reddit', 'bluesky', 'twitter'] as const).flatMap((platform) => [
    of(platform, '1', 'Ellen DeGeneres will host the Oscars again, says the Academy.'),
    of(platform, '2', 'Ellen DeGeneres was wonderful as host of the Oscars in 2007, the Academy knows that.'),
    of(platform, '3', 'The Oscars of the Academy are far too long, whether Ellen DeGeneres is the host or not.'),
  ])
}

describe('connectors of a running service', () => {
  let story: StoryService
  let standIn: StandIn
  let reader: AskCaller
  let oscars: string
  let log: KafkaLog
  let codec: RegistryCodec
  let connectors: ChildProcess

  beforeAll(async () => {
    standIn = await startStandIn({ posts: posts() })
    story = await startStory()
    const { KAFKA_BROKERS = '', REGISTRY_URL = '' } = await story.running()
    log = new KafkaLog({ brokers: KAFKA_BROKERS.split(','), clientId: 'connectors-test' })
    codec = new RegistryCodec({ url: REGISTRY_URL })
    reader = await newCaller(story)
    oscars = await imported('DeGeneres')
  }, 900_000)
  afterAll(async () => {
    await ended('SIGTERM')
    await log.close()
    await stopAllStories()
    await standIn.stop()
  })

  /** Imports the sample's articles that name a person; returns the story of most of them. */
  const imported = async (name: string): Promise<string> => {
    const file = join(story.home, `${name}.jsonl`)
    await writeFile(file, asJsonl(sampleArticles(400).filter(({ text }) => text.includes(name))))
    await story.cli('import', 'jsonl', file, '--wait')
    return until(`a story of ${name}`, async () => {
      const { body } = await reader.get('/v1/clusters?time_range=30d&min_articles=3&sort=coverage&limit=20')
      return Clusters.parse(body).clusters.find(({ title }) => title.includes(name))?.id ?? null
    })
  }

  const begun = async (): Promise<void> => {
    const environment = {
      ...process.env,
      STORY_HOME: story.home,
      METRICS_PORT: `${await anyFreePort()}`,
      ...standIn.env,
    }
    connectors = spawn(process.execPath, [MAIN, 'start', 'connectors'], {
      env: { ...environment, LOG_LEVEL: 'warn' },
      stdio: 'ignore',
    })
  }
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    if (connectors.exitCode !== null || connectors.signalCode !== null) return
    const exit = once(connectors, 'exit')
    connectors.kill(signal)
    await exit
  }

  const emitted = async <Event>(topic: Topic<Event>): Promise<Event[]> => {
    const found: Event[] = []
    for await (const records of log.read(topic.name, 0, 0)) {
      for (const { value } of records) {
        const decoded = await codec.decode(topic, value ?? Buffer.alloc(0))
        if (decoded.kind === 'event') found.push(decoded.event)
      }
    }
    return found
  }
  const published = (): Promise<PostObserved[]> => emitted(discoursePosts)

  const echoOf = async (id: string): Promise<ReadonlyMap<string, ConnectorsEnrichment>> => {
    const { status, body } = await reader.get(`/echo/v1/echo/story/${id}`)
    const enrichments = status === 404 ? [] : Enrichments.parse(body).enrichments
    return new Map(enrichments.map((record) => [record.platform, record]))
  }

  it("publish each platform's posts, which reach their story", SLOW, async () => {
    await begun()

    const echo = await until('all three platforms tell of the story', async () => {
      const found = await echoOf(oscars)
      return [...found.values()].filter((record) => record.comment_count_analyzed === 3).length === 3 ? found : null
    })

    expect([...echo.keys()].sort()).toEqual(['bluesky', 'reddit', 'twitter'])
    expect([...echo.values()].map(({ source_status }) => source_status)).toEqual(['live', 'live', 'live'])
  })

  it('publish nothing twice when killed and restarted', SLOW, async () => {
    const before = await published()
    expect(before.length).toBe(9)
    const first = firstOf(posts(), 'bluesky')
    standIn.world.add({ ...first, id: 'noise', text: 'Good morning', link: null })
    await until('the place in the stream is told', async () =>
      (await emitted(discoursePolled)).some(({ cluster_id, cursor }) => cluster_id === null && cursor !== null)
        ? true
        : null,
    )

    await ended('SIGKILL')
    standIn.world.add({
      ...first,
      id: 'late',
      text: 'Ellen DeGeneres to host the Oscars: a safe choice',
    })
    await begun()

    await until('what came meanwhile is there', async () => ((await published()).length > before.length ? true : null))
    expect(standIn.jetstream.connections.at(-1)).toContain('cursor=')
    const ids = (await published()).map(({ post_id }) => post_id)
    expect(ids.length).toBe(new Set(ids).size)
    expect(ids.length).toBe(10)
  })

  it('publish the deletion of a post at its source, and the record drops it', SLOW, async () => {
    const count = async () => (await echoOf(oscars)).get('bluesky')?.comment_count_analyzed
    await until('the late post counts', async () => ((await count()) === 4 ? true : null))

    standIn.world.remove('bluesky', 'late')

    await until('the record is without it', async () => ((await count()) === 3 ? true : null))
    expect((await published()).at(-1)).toMatchObject({ platform: 'bluesky', deleted: true, text: '' })
  })

  it('keep the record of an unavailable platform, and report it as degraded', SLOW, async () => {
    const before = (await echoOf(oscars)).get('reddit')
    standIn.trouble({ platform: 'reddit', kind: 'http_503', next: null })
    await ended('SIGTERM')
    const explorer = await imported('Internet Explorer')
    await begun()

    const during = await until('reddit is known to be away', async () => {
      const record = (await echoOf(oscars)).get('reddit')
      return record?.source_status === 'degraded' ? record : null
    })
    expect(during).toEqual({ ...before, source_status: 'degraded' })
    expect((await echoOf(explorer)).has('reddit')).toBe(false)

    standIn.calm('reddit')
    await until('reddit is back', async () =>
      (await echoOf(oscars)).get('reddit')?.source_status === 'live' ? true : null,
    )
  })
})

function firstOf(all: readonly StandInPost[], platform: StandInPost['platform']): StandInPost {
  const first = all.find((post) => post.platform === platform)
  if (first === undefined) throw new Error(`no post of ${platform}`)
  return first
}
