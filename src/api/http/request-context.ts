import { AsyncLocalStorage } from 'node:async_hooks'
import type { OutRecord } from '../../ports/log.ts'
import type { BoundQuery } from '../../ports/store.ts'

const current = new AsyncLocalStorage<string>()

let running = 0

/**
 * Runs `work` in an async context with the request id, so that all nested calls can read it. Shared work keeps the id
 * of the request that started it. The context is disabled when no request is running; otherwise it would add a tenth to
 * the time of every request that is answered immediately.
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

/** The id of the request that the current code runs for; `undefined` outside of requests. */
export const currentRequestId = (): string | undefined => current.getStore()

/** Adds the request id to the headers of records. Stages copy it to the events that they emit. */
export function signed(records: readonly OutRecord[]): readonly OutRecord[] {
  const request_id = current.getStore()
  if (request_id === undefined) return records
  return records.map((record) => ({ ...record, headers: { ...record.headers, request_id } }))
}

/** Adds the request id to a query, for the store's query log. */
export function withRequestId<Out>(query: BoundQuery<Out>): BoundQuery<Out> {
  const request_id = current.getStore()
  return request_id === undefined ? query : { ...query, request_id }
}
