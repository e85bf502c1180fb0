import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { anyFreePort } from '../../src/engines/free-port.ts'
import { asJsonl, sampleArticles } from '../pipeline/dated-sample.ts'
import { startStory, stopAllStories, type Story } from '../pipeline/story.ts'
import { until } from '../pipeline/until.ts'

const MAIN = new URL('../../dist/main.js', import.meta.url).pathname
const ARTICLES = 40
/** So many refusals in a row take a process out, as Kubernetes does; a drain takes longer. */
const PROBES = 3
const SERVICE = /main\.js start all/

const others: ChildProcess[] = []
afterAll(async () => {
  for (const child of others) child.kill('SIGKILL')
  await stopAllStories()
})

/** A second process of every role beside the one of `story up`, on the same engines. */
async function startAnother(story: Story, port: number): Promise<ChildProcess> {
  const environment = { ...process.env, STORY_HOME: story.home, PORT: `${port}`, LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [MAIN, 'start', 'all'], { env: environment, stdio: 'ignore' })
  others.push(child)
  await until('the second process is ready', async () => ((await isReady(`http://127.0.0.1:${port}`)) ? true : null))
  return child
}

const isReady = async (url: string): Promise<boolean> =>
  await fetch(`${url}/readyz`).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )

/** Reads as a load balancer passes them on: by turns to whoever said a moment ago that he is ready. */
function readers(urls: readonly string[], key: string) {
  const ending = new AbortController()
  const ready = new Map(urls.map((url) => [url, true]))
  const failed: string[] = []
  let reads = 0
  const probe = async (url: string): Promise<void> => {
    for (let refused = 0; !ending.signal.aborted;) {
      refused = (await isReady(url)) ? 0 : refused + 1
      ready.set(url, refused < PROBES)
      await setTimeout(150)
    }
  }
  const read = async (): Promise<void> => {
    for (let turn = 0; !ending.signal.aborted; turn++) {
      const open = urls.filter((url) => ready.get(url) === true)
      const url = open[turn % open.length]
      reads += 1
      const status = url === undefined ? 'nobody was ready' : await statusOf(`${url}/v1/clusters?limit=5`, key)
      if (status !== 200) failed.push(`${url ?? ''} ${status}`)
      await setTimeout(20)
    }
  }
  const work = Promise.all([...urls.map(probe), read(), read()])
  return {
    /** As whoever restarts waits before the next one. */
    untilPassedTo: async (url: string) =>
      await until(`${url} gets reads`, async () => await Promise.resolve(ready.get(url) === true ? true : null)),
    end: async () => {
      ending.abort()
      await work
      return { reads, failed }
    },
  }
}

const statusOf = async (url: string, key: string): Promise<number | string> =>
  await fetch(url, { headers: { authorization: `Bearer ${key}` } }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    (cause: unknown) => String(cause instanceof Error ? (cause.cause ?? cause) : cause),
  )

it(
  'processes are restarted one after the other: no read fails, nothing of an import is lost or doubled',
  { timeout: 400_000 },
  async () => {
    const story = await startStory()
    const port = await anyFreePort()
    const url = `http://127.0.0.1:${port}`
    const second = await startAnother(story, port)
    const file = join(story.home, 'sample.jsonl')
    await writeFile(file, asJsonl(sampleArticles(ARTICLES)))
    const importing = story.cli('import', 'jsonl', file, '--wait', '--json', '--rate', '2')
    const reading = readers([story.url, url], story.key)

    const ended = once(second, 'exit')
    second.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    await startAnother(story, port)
    await reading.untilPassedTo(url)
    const [first] = story.pids(SERVICE)
    process.kill(first ?? -1, 'SIGTERM') // `story up` starts another in its place
    await until('the first process is another one, and ready', async () => {
      const now = story.pids(SERVICE)[0]
      return now !== undefined && now !== first && (await isReady(story.url)) ? true : null
    })

    const imported = z.object({ accepted: z.number(), articles: z.number() }).parse(JSON.parse(await importing))
    const { reads, failed } = await reading.end()
    expect(failed).toEqual([])
    expect(reads).toBeGreaterThan(200)
    const hashes = (await story.cli('hash', 'articles', '--json')).trim()
    const { tables } = z
      .object({ tables: z.array(z.object({ table: z.string(), rows: z.number() })) })
      .parse(JSON.parse(hashes))
    expect(tables.find(({ table }) => table === 'articles')?.rows).toBe(imported.articles)
    const lag = z.object({ total: z.number() }).parse(JSON.parse(await story.cli('lag', '--json', '--for', '0')))
    expect(lag.total).toBe(0)
  },
)
