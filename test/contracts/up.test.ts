import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { z } from 'zod'
import { anyFreePort, answers } from '../../src/engines/free-port.ts'
import { livingInGroup } from '../builders/processes.ts'

const { cache } = inject('engines')
const home = mkdtempSync(join(tmpdir(), 'story-up-'))
const main = join(import.meta.dirname, '../../dist/main.js')
const soon = { timeout: 100_000, interval: 100 }
const Ready = z.object({ ready: z.literal(true), url: z.string(), key: z.string() })

let environment: NodeJS.ProcessEnv = {}
let running: ChildProcess | undefined
const said: string[] = []

beforeAll(async () => {
  const names = ['PORT', 'METRICS_PORT', 'KAFKA_PORT', 'REGISTRY_PORT', 'CLICKHOUSE_PORT']
  const ports = await Promise.all(names.map(async (name) => [name, `${await anyFreePort()}`] as const))
  environment = { ...process.env, ...Object.fromEntries(ports), STORY_CACHE: cache, ENCODER_PROCESSES: '1' }
})
afterAll(() => {
  running?.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

const story = [main]

/** Starts `story up` and waits for its output line. */
const up = async () => {
  const args = [...story, 'up', '--home', home, '--json', '--no-sample']
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  running = child
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  const lines: unknown[] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, ...Ready.parse(JSON.parse(String(lines[0]))) }
}

const statusOf = async (url: string, key: string) =>
  (await fetch(`${url}/v1/clusters?limit=1`, { headers: { authorization: `Bearer ${key}` } })).status

/** Process groups of the children: one for each engine and one for the service. */
const childrenOf = async (pid: number) => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='])
  const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/))
  return rows
    .filter(([, parent]) => parent === `${pid}`)
    .map(([child, , ...args]) => ({ pid: Number(child), args: args.join(' ') }))
    .filter(({ args }) => /java|launcher\.cjs|main\.js/.test(args))
}

describe('story up', () => {
  it('serves with a generated key, allows one instance per home, survives its service, and ends without leaving anything behind', async () => {
    const first = await up()
    expect(await statusOf(first.url, first.key)).toBe(200)

    // a second one for the same home is rejected with a message
    const second = promisify(execFile)(process.execPath, [...story, 'up', '--home', home], { env: environment })
    await expect(second).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is in use by process ${first.child.pid ?? 0}. Stop that process`) as string,
    })

    // kill -9 of the service: it restarts on the same port and accepts the key
    const children = await childrenOf(first.child.pid ?? 0)
    expect(children).toHaveLength(4)
    const service = children.find(({ args }) => args.endsWith('start all'))
    process.kill(service?.pid ?? 0, 'SIGKILL')
    await vi.waitFor(() => expect(said).toContainEqual(expect.stringMatching(/^service is back after/)), soon)
    expect(await statusOf(first.url, first.key)).toBe(200)

    // SIGTERM ends everything in order
    const groups = await childrenOf(first.child.pid ?? 0)
    first.child.kill('SIGTERM')
    const ending: unknown[] = await once(first.child, 'exit')
    expect(ending).toEqual([0, null])
    await vi.waitFor(() => expect(groups.map(({ pid }) => livingInGroup(pid))).toEqual([0, 0, 0, 0]), soon)
    expect(existsSync(join(home, 'running.json'))).toBe(false)
    expect(existsSync(join(home, 'up.lock'))).toBe(false)

    // the next start has the same key
    const next = await up()
    expect(next.key).toBe(first.key)
    expect(await statusOf(next.url, next.key)).toBe(200)

    // kill -9 of everything: no process remains
    const left = await childrenOf(next.child.pid ?? 0)
    expect(left).toHaveLength(4)
    next.child.kill('SIGKILL')
    await vi.waitFor(async () => {
      expect(left.map(({ pid }) => livingInGroup(pid))).toEqual([0, 0, 0, 0])
      expect(await answers(Number(new URL(next.url).port))).toBe(false)
    }, soon)
  }, 900_000)
})
