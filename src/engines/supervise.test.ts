import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { livingInGroup } from '../../test/builders/processes.ts'
import { soon } from '../../test/builders/soon.ts'
import type { Engine } from './engine.ts'
import { leash, sendSignal } from './leash.ts'
import { restartPauseMs, supervise } from './supervise.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'story-supervise-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const sleeper = (script = 'exec sleep 600'): Engine => ({
  name: 'sleeper',
  start: async () => leash({ command: 'sh', args: ['-c', script], log: { file: join(folder, 'log') } }),
  graceMs: 2_000,
})

it('starts again what was killed, and says so', async () => {
  const said: string[] = []
  const supervised = await supervise(sleeper(), (line) => said.push(line))
  const first = supervised.pid()

  sendSignal(first, 'SIGKILL')
  await vi.waitFor(() => expect(supervised.pid()).not.toBe(first), soon)

  expect(said).toEqual([
    'sleeper ended (SIGKILL); starting it again',
    expect.stringMatching(/^sleeper is back after \d\.\d s \(pid \d+\)$/),
  ])
  await supervised.stop()
})

it('gives the reason of a planned restart instead', async () => {
  const said: string[] = []
  const supervised = await supervise({ ...sleeper(), restartReason: () => 'restarting for a reason' }, (line) =>
    said.push(line),
  )

  sendSignal(supervised.pid(), 'SIGTERM')
  await vi.waitFor(() => expect(said).toHaveLength(2), soon)

  expect(said[0]).toBe('restarting for a reason')
  await supervised.stop()
})

it('does not start again what was asked to stop, and leaves nothing of its group', async () => {
  const supervised = await supervise(sleeper('sleep 600 & sleep 600'), () => undefined)
  const pid = supervised.pid()

  await supervised.stop()

  await vi.waitFor(() => expect(livingInGroup(pid)).toBe(0), soon)
})

it('kills what does not end when asked', async () => {
  const deaf = sleeper("trap '' TERM; while :; do sleep 0.05; done")
  const supervised = await supervise({ ...deaf, graceMs: 100 }, () => undefined)
  const pid = supervised.pid()

  await supervised.stop()

  await vi.waitFor(() => expect(livingInGroup(pid)).toBe(0), soon)
})

it('goes on trying when a restart fails', async () => {
  const said: string[] = []
  const engine = sleeper()
  const failsOnce = vi
    .fn(engine.start)
    .mockImplementationOnce(engine.start)
    .mockRejectedValueOnce(new Error('disk full'))
  const supervised = await supervise({ ...engine, start: failsOnce }, (line) => said.push(line))
  const first = supervised.pid()

  sendSignal(first, 'SIGKILL')
  await vi.waitFor(() => expect(supervised.pid()).not.toBe(first), soon)

  expect(said).toContain('disk full')
  await supervised.stop()
})

it('says at once that the first start has failed', async () => {
  const broken: Engine = { ...sleeper(), start: () => Promise.reject(new Error('no such file')) }
  await expect(supervise(broken, () => undefined)).rejects.toThrow('no such file')
})

it('pauses longer from restart to restart, up to 15 s, and never exactly as long as its neighbour', () => {
  expect([1, 2, 3, 7, 8, 30].map((restart) => restartPauseMs(restart, 0))).toEqual([
    200, 400, 800, 12_800, 15_000, 15_000,
  ])
  expect(restartPauseMs(1, 1)).toBe(150)
})
