import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { z } from 'zod'
import { processTree } from '../../src/bench/processes.ts'
import { freePort } from '../../src/engines/free-port.ts'
import { until } from './until.ts'

const MAIN = new URL('../../dist/main.js', import.meta.url).pathname

/** A running service: `story up` in a separate home, on free ports. */
export interface StoryService {
  readonly url: string
  readonly key: string
  readonly home: string
  /** GET with the service's key; the parsed body. */
  get(path: string): Promise<{ status: number; body: StoryAnswer }>
  post(path: string, body: unknown): Promise<{ status: number; body: StoryAnswer }>
  /** A command of the CLI against this service; its stdout. */
  cli(...args: string[]): Promise<string>
  /** The addresses and passwords that `story up` provides to other commands. */
  running(): Promise<Record<string, string>>
}

/** A service for one test file, which may kill its processes. */
export interface OwnStory extends StoryService {
  /** Ids of the service's processes whose command line matches. */
  pids(commandLine: RegExp): number[]
  stop(): Promise<void>
}

export type StoryAnswer = Record<string, unknown>

/** The address of a running service, and a key. */
export interface StoryAddress {
  readonly url: string
  readonly key: string
  readonly home: string
}

const environment = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  STORY_HOME: home,
  LOG_LEVEL: 'warn',
  ENCODER_VECTOR_CACHE: join(homedir(), '.cache', 'story-intelligence', 'test-vectors'),
})

const PORTS = ['PORT', 'METRICS_PORT', 'KAFKA_PORT', 'REGISTRY_PORT', 'CLICKHOUSE_PORT']
/** Outgoing connections use ports from 32768: below, the port of a killed engine stays free. */
const [FIRST_PORT, LAST_PORT] = [12_000, 32_000]

/** Starts at random: with default ports a second service could take those of an engine that another test just killed. */
async function ownPorts(): Promise<NodeJS.ProcessEnv> {
  const taken = new Set<number>()
  for (const variable of PORTS) {
    const preferred = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT))
    taken.add(await freePort({ variable, set: undefined, preferred }, taken))
  }
  return Object.fromEntries([...taken].map((port, i) => [PORTS[i] ?? '', String(port)]))
}

const running = new Set<OwnStory>()

/** Stops every service that this file started, even if a test failed. */
export async function stopAllStories(): Promise<void> {
  await Promise.all([...running].map((story) => story.stop()))
}

/** A service for this file only; `more` are further options of `story up`. */
export async function startStory(...more: readonly string[]): Promise<OwnStory> {
  const home = await mkdtemp(join(tmpdir(), 'story-'))
  const child = spawn(process.execPath, [MAIN, 'up', '--json', '--no-sample', ...more], {
    env: { ...environment(home), ...(await ownPorts()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const { url, key } = await ready(child, said)
  const story: OwnStory = {
    ...storyAt({ url, key, home }),
    pids: (commandLine) =>
      processTree(child.pid ?? -1).flatMap(({ pid, command }) => (commandLine.test(command) ? [pid] : [])),
    stop: async () => {
      running.delete(story)
      await ended(child)
      await rm(home, { recursive: true, force: true })
    },
  }
  running.add(story)
  return story
}

/** The rights of a key that may call every operation. */
export const ALL_RIGHTS = { rights: ['--scopes', 'read,write,curate,sources'] } as const

/** A new key of a private namespace, known to the service. */
export async function privateKey(
  story: StoryService,
  namespace: string,
  { tier = 'enterprise', rights = [] }: { readonly tier?: string; readonly rights?: readonly string[] } = {},
): Promise<string> {
  const options = ['--tier', tier, '--private', namespace, '--no-analyst', '--json', ...rights]
  const { key } = z.object({ key: z.string() }).parse(JSON.parse(await story.cli('keys', 'create', ...options)))
  await until('the key is known', async () => {
    const response = await fetch(`${story.url}/v1/clusters`, { headers: { authorization: `Bearer ${key}` } })
    await response.body?.cancel()
    return response.ok ? true : null
  })
  return key
}

/** A running service with a key. */
export function storyAt({ url, key, home }: StoryAddress): StoryService {
  const request = async (path: string, init: RequestInit) => {
    const response = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    return { status: response.status, body: (await response.json()) as StoryAnswer }
  }
  return {
    url,
    key,
    home,
    get: (path) => request(path, {}),
    post: (path, body) => request(path, { method: 'POST', body: JSON.stringify(body) }),
    cli: async (...args) => {
      const run = promisify(execFile)
      const { stdout } = await run(process.execPath, [MAIN, ...args], { env: environment(home), maxBuffer: 1e8 })
      return stdout
    },
    running: async () => JSON.parse(await readFile(join(home, 'running.json'), 'utf8')) as Record<string, string>,
  }
}

async function ready(child: ChildProcess, said: readonly string[]): Promise<{ url: string; key: string }> {
  if (child.stdout === null) throw new Error('story up has no stdout')
  for await (const line of createInterface({ input: child.stdout })) {
    const answer = JSON.parse(line) as { ready: boolean; url: string; key: string }
    if (answer.ready) return answer
  }
  throw new Error(`story up ended before it was ready:\n${said.join('')}`)
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exit
}
