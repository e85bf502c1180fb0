import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { processTree } from '../../src/bench/processes.ts'

const MAIN = new URL('../../dist/main.js', import.meta.url).pathname

/** A whole service of its own: `story up` in a temporary home, on free ports. */
export interface Story {
  readonly url: string
  readonly key: string
  readonly home: string
  /** GET with the demo key; the parsed body. */
  get(path: string): Promise<{ status: number; body: Answer }>
  post(path: string, body: unknown): Promise<{ status: number; body: Answer }>
  /** A command of the CLI against this service; its stdout. */
  cli(...args: string[]): Promise<string>
  /** What `story up` tells other commands: addresses and passwords. */
  running(): Promise<Record<string, string>>
  /** Process ids of the service's processes by what their command line holds. */
  pids(commandLine: RegExp): number[]
  stop(): Promise<void>
}

export type Answer = Record<string, unknown>

const environment = (home: string): NodeJS.ProcessEnv => ({
  ...process.env,
  STORY_HOME: home,
  LOG_LEVEL: 'warn',
  ENCODER_VECTOR_CACHE: join(homedir(), '.cache', 'story-intelligence', 'test-vectors'),
})

const running = new Set<Story>()

/** Whatever became of the test that started them. */
export async function stopAllStories(): Promise<void> {
  await Promise.all([...running].map(async (story) => await story.stop()))
}

/** `more` are further words for `story up`. */
export async function startStory(...more: readonly string[]): Promise<Story> {
  const home = await mkdtemp(join(tmpdir(), 'story-'))
  const child = spawn(process.execPath, [MAIN, 'up', '--json', '--no-sample', ...more], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const { url, key } = await ready(child, said)
  const request = async (path: string, init: RequestInit) => {
    const response = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    return { status: response.status, body: (await response.json()) as Answer }
  }
  const story: Story = {
    url,
    key,
    home,
    get: async (path) => await request(path, {}),
    post: async (path, body) => await request(path, { method: 'POST', body: JSON.stringify(body) }),
    cli: async (...args) => {
      const run = promisify(execFile)
      const { stdout } = await run(process.execPath, [MAIN, ...args], { env: environment(home), maxBuffer: 1e8 })
      return stdout
    },
    running: async () => JSON.parse(await readFile(join(home, 'running.json'), 'utf8')) as Record<string, string>,
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
