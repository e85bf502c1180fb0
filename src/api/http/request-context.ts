import { AsyncLocalStorage } from 'node:async_hooks'
import type { OutRecord } from '../../ports/log.ts'
import type { BoundQuery } from '../../ports/store.ts'

const current = new AsyncLocalStorage<string>()

let running = 0

/**
 * Whatever is done for a request, however deep below, is done under its id. Work that several share is the first one's.
 * With nothing to follow the tracking stops: it would cost every request that is answered at once a tenth of its time.
 */
export async function inRequest<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  running++
  try {
    return await current.run(id, work)
  } finally {
    running--
    if (running === 0) current.disable()
  }
}

/** Records that say which request wrote them: stages hand that on to what follows. */
export function signed(records: readonly OutRecord[]): readonly OutRecord[] {
  const request_id = current.getStore()
  if (request_id === undefined) return records
  return records.map((record) => ({ ...record, headers: { ...record.headers, request_id } }))
}

/** A query that says in the store's own log which request asked it. */
export function withRequestId<Out>(query: BoundQuery<Out>): BoundQuery<Out> {
  const request_id = current.getStore()
  return request_id === undefined ? query : { ...query, request_id }
}
