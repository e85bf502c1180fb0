import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

/** What starts this CLI, and with which environment. */
export interface OwnServiceProgram {
  readonly command: readonly [string, ...string[]]
  readonly environment: NodeJS.ProcessEnv
}

/** A whole service of its own, in a home that is deleted afterwards. */
export interface OwnService extends OwnServiceProgram {
  readonly home: string
  readonly url: string
  /** A Professional key of the shared namespace. */
  readonly key: string
  readonly pid: number
  readonly secondsUntilReady: number
}

const Ready = z.object({ url: z.string(), key: z.string() })

/** Starts `story up` with nothing in it, lets it be used, and ends it. */
export async function withOwnService<Result>(
  { command, environment }: OwnServiceProgram,
  use: (service: OwnService) => Promise<Result>,
): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'story-bench-'))
  const own: OwnServiceProgram = { command, environment: { ...environment, STORY_HOME: home, LOG_LEVEL: 'warn' } }
  const [program, ...first] = command
  const begun = performance.now()
  const up = spawn(program, [...first, 'up', '--json', '--no-sample'], {
    env: own.environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const { url, key } = await readyLine(up.stdout)
    const secondsUntilReady = (performance.now() - begun) / 1000
    return await use({ ...own, home, url, key, pid: up.pid ?? -1, secondsUntilReady })
  } finally {
    const ended = new Promise((resolve) => up.once('exit', resolve))
    up.kill('SIGTERM')
    await ended
    await rm(home, { recursive: true, force: true })
  }
}

async function readyLine(stdout: NodeJS.ReadableStream): Promise<z.infer<typeof Ready>> {
  for await (const line of createInterface({ input: stdout })) {
    if (line.includes('"ready":true')) return Ready.parse(JSON.parse(line))
  }
  throw new Error('story up ended before it was ready')
}
