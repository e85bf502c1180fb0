import { beforeEach, expect, it } from 'vitest'
import { settled } from '../../../test/builders/api.ts'
import type { BoundQuery, Store } from '../../ports/store.ts'
import { jobReader, type JobReader } from './job-reader.ts'

/** Reads that a test ends one by one. */
class SlowReads {
  readonly job_ids: unknown[] = []
  private readonly ends: ((error?: Error) => void)[] = []

  readonly store: Store = {
    query: async <Out>({ params, parse }: BoundQuery<Out>) => {
      const ids = params['job_ids'] as readonly string[]
      this.job_ids.push(ids)
      await new Promise<void>((resolve, reject) => this.ends.push((error) => (error ? reject(error) : resolve())))
      const known = ids.filter((id) => id !== 'unknown')
      return known.map((job_id) => parse({ job_id, status: 'failed', article_id: null, reason: `of ${job_id}` }))
    },
    insert: () => Promise.reject(new Error('nothing is inserted')),
    command: () => Promise.reject(new Error('nothing is commanded')),
    ping: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  }
  async end(error?: Error): Promise<void> {
    await settled()
    this.ends.shift()?.(error)
    await settled()
  }
}

let reads: SlowReads
let read: JobReader
beforeEach(() => {
  reads = new SlowReads()
  read = jobReader(reads.store)
})
const reasonOf = async (job_id: string, namespace = 'shared') => (await read({ namespace, job_id }))?.reason ?? null

it('reads together the jobs that are requested during a read, and each caller gets its own', async () => {
  const first = reasonOf('a')
  await settled()
  const others = ['b', 'c', 'b', 'unknown'].map((id) => reasonOf(id))
  await reads.end()
  await reads.end()

  expect(reads.job_ids).toEqual([['a'], ['b', 'c', 'unknown']])
  expect(await Promise.all([first, ...others])).toEqual(['of a', 'of b', 'of c', 'of b', null])
})

it('reads again for a request that comes later, since a job may have ended', async () => {
  const first = reasonOf('a')
  await reads.end()
  const second = reasonOf('a')
  await reads.end()

  expect(await Promise.all([first, second])).toEqual(['of a', 'of a'])
  expect(reads.job_ids).toEqual([['a'], ['a']])
})

it('reads each namespace by itself, without waiting for another', async () => {
  void reasonOf('a', 'shared')
  await settled()
  void reasonOf('b', 'acme')
  await settled()

  expect(reads.job_ids).toEqual([['a'], ['b']])
})

it('fails only the callers of a read that failed', async () => {
  const first = reasonOf('a').catch(String)
  await settled()
  const second = reasonOf('b')
  await reads.end(new Error('no answer'))
  await reads.end()

  expect(await first).toBe('Error: no answer')
  expect(await second).toBe('of b')
})

it('bounds the jobs of one read', async () => {
  const all = Array.from({ length: 1_101 }, (_, i) => reasonOf(`job ${i}`))
  for (let i = 0; i < 3; i++) await reads.end()

  expect(reads.job_ids.map((ids) => (ids as readonly string[]).length)).toEqual([500, 500, 101])
  expect(new Set(await Promise.all(all)).size).toBe(1_101)
})
