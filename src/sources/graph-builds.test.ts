import { expect, it } from 'vitest'
import { aHandMovedClock } from '../../test/builders/api.ts'
import type { GraphBuilt } from '../events/graph.ts'
import { runGraphBuilds } from './graph-builds.ts'

const HOUR_MS = 3_600_000

const built = (differences: number): GraphBuilt => ({
  build_id: 'bld_a',
  clusters_processed: 3,
  relationships_created: 2,
  entity_pairs_processed: 9,
  narrative_threads_built: 1,
  differences,
  duration_seconds: 0.1,
})

async function scheduled(
  build: (namespace: string) => Promise<GraphBuilt>,
  namespaces = () => Promise.resolve(['shared', 'newsroom']),
) {
  const clock = aHandMovedClock(Date.UTC(2016, 4, 3, 11, 59))
  const stop = new AbortController()
  const messages: unknown[] = []
  const running = runGraphBuilds(
    {
      clock,
      build,
      namespaces,
      onBuilt: (namespace, { differences }) => messages.push([namespace, differences]),
      onFailure: (namespace, cause) => messages.push([namespace, String(cause)]),
    },
    stop.signal,
  )
  return {
    clock,
    messages,
    stop: async () => {
      stop.abort()
      await running
    },
  }
}

it('builds the graph of every namespace at 0, 6, 12 and 18 h UTC', async () => {
  const at: number[] = []
  const { clock, messages, stop } = await scheduled(async (namespace) => {
    at.push(clock.now() / HOUR_MS)
    return Promise.resolve(built(namespace === 'shared' ? 0 : 2))
  })

  await clock.advance(59_000)
  expect(messages).toEqual([])
  await clock.advance(1_000)
  await clock.advance(5 * HOUR_MS)
  expect(messages).toEqual([
    ['shared', 0],
    ['newsroom', 2],
  ])
  await clock.advance(HOUR_MS)
  await stop()

  expect(at.map((hours) => hours % 24)).toEqual([12, 12, 18, 18])
})

it('goes on with the next namespace when a build fails', async () => {
  const { clock, messages, stop } = await scheduled(async (namespace) => {
    if (namespace === 'shared') throw new Error('the store is away')
    return Promise.resolve(built(0))
  })

  await clock.advance(60_000)
  await stop()

  expect(messages).toEqual([
    ['shared', 'Error: the store is away'],
    ['newsroom', 0],
  ])
})

it('asks again within the period when nobody can say which namespaces there are', async () => {
  let calls = 0
  const { clock, messages, stop } = await scheduled(
    () => Promise.resolve(built(0)),
    async () => {
      calls += 1
      return calls < 3 ? Promise.reject(new Error('the log is away')) : Promise.resolve(['shared'])
    },
  )

  await clock.advance(60_000)
  await clock.advance(60_000)
  await clock.advance(60_000)
  await stop()

  expect(messages).toEqual([
    [null, 'Error: the log is away'],
    [null, 'Error: the log is away'],
    ['shared', 0],
  ])
})
