import type { paths } from '../../../sdk/src/index.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { now } from '../clock.ts'
import { asker, type Asker, type ServiceReply } from './asker.ts'
import { SLOW_MS } from './condition.ts'
import { requestsRunning, slowRequests } from './health.ts'
import { bodyOf, client, pausedUntil, refusalOf, type DashboardAsk } from './service.ts'
import { key, signOut } from './session.ts'

export type { ServiceReply } from './asker.ts'

interface UseAnswerOptions<Answer> {
  /** Identifies the request: a new name starts a new request. Empty if nothing is to be requested. */
  readonly name: string
  /** A higher number repeats the request; the last answer stays visible until the new one arrives. */
  readonly turn?: number
  readonly ask: DashboardAsk<Answer>
}

/** Detects lost connections, such as those of a laptop that slept. The service itself times out earlier. */
const TIMEOUT_MS = 30_000

const PENDING = { kind: 'pending' } as const

type Known<Answer> = { readonly of: string; readonly reply: ServiceReply<Answer> }

/** The reply to a request, sent on first use and whenever its name or turn changes. */
export function useAnswer<Answer>({ name, turn = 0, ask }: UseAnswerOptions<Answer>): ServiceReply<Answer> {
  const [known, setKnown] = useState<Known<Answer>>({ of: '', reply: PENDING })
  const reader = key.value
  const current = useRef<Asker | null>(null)
  useEffect(() => {
    if (name === '' || reader === '') return undefined
    current.current = asker<Answer>({
      once: async (signal) => replyTo(ask, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])),
      report: (reply) => setKnown((before) => latest(before, { of: name, reply })),
      pausedMs: () => pausedUntil.value - now(),
    })
    return () => {
      current.current?.end()
      current.current = null
    }
    // `ask` is a new function on each render, but depends only on `name`
  }, [name, reader])
  useEffect(() => current.current?.again(), [name, reader, turn])
  return known.of === name ? known.reply : PENDING
}

type GetOperation<Path extends keyof paths> = paths[Path] extends { readonly get: infer Operation } ? Operation : never

/** The path of an operation with a JSON response. */
type GetPath = { [Path in keyof paths]: GetOperation<Path> extends never ? never : Path }[keyof paths]

type ParametersOf<Path extends GetPath> =
  GetOperation<Path> extends { readonly parameters: { readonly query?: infer Query; readonly path?: infer InPath } }
    ? Loose<Query> & Loose<InPath>
    : never

/** Values from the address are strings; empty and undefined ones are left out of the request. */
type Loose<Parameters> = [NonNullable<Parameters>] extends [never]
  ? unknown
  : { readonly [Name in keyof NonNullable<Parameters>]?: NonNullable<Parameters>[Name] | string | undefined }

type BodyOf<Path extends GetPath> =
  GetOperation<Path> extends {
    readonly responses: { readonly 200: { readonly content: { readonly 'application/json': infer Body } } }
  }
    ? Body
    : never

interface UseGetOptions {
  readonly turn?: number
  /** `false` if nothing is to be requested yet. */
  readonly isNeeded?: boolean
}

/** The reply to `GET path`. Parameters that the path names go into the path, all others into the query. */
export function useGet<Path extends GetPath>(
  path: Path,
  parameters: ParametersOf<Path>,
  { turn = 0, isNeeded = true }: UseGetOptions = {},
): ServiceReply<BodyOf<Path>> {
  const given = Object.entries<unknown>(parameters).filter(([, value]) => value !== undefined && value !== '')
  return useAnswer({
    name: isNeeded ? `${path} ${JSON.stringify(given)}` : '',
    turn,
    ask: async (api, signal) => {
      const isInPath = ([name]: readonly [string, unknown]): boolean => path.includes(`{${name}}`)
      const params = {
        path: Object.fromEntries(given.filter(isInPath)),
        query: Object.fromEntries(given.filter((one) => !isInPath(one))),
      }
      return bodyOf<BodyOf<Path>>(await api.GET(path as never, { params, signal } as never))
    },
  })
}

interface Paged<Page> {
  readonly first: ServiceReply<Page>
  /** The pages after the first one. */
  readonly more: readonly Page[]
  /** Reads the next page; `null` if there is none or while it is loading. */
  readonly next: (() => void) | null
}

type PagedPath = { [Path in GetPath]: BodyOf<Path> extends Cursored ? Path : never }[GetPath]

interface Cursored {
  readonly next_cursor: string | null
}

/** A paginated list. The first page is updated each turn; further pages stay as they were read. */
export function usePages<Path extends PagedPath>(
  path: Path,
  parameters: ParametersOf<Path>,
  turn = 0,
): Paged<BodyOf<Path> & Cursored> {
  type Page = BodyOf<Path> & Cursored
  const [more, setMore] = useState<readonly Page[]>([])
  const [requested, setRequested] = useState<string | null>(null)
  useEffect(() => {
    setMore([])
    setRequested(null)
  }, [JSON.stringify(parameters)])
  const first = useGet(path, parameters, { turn }) as ServiceReply<Page>
  const next = { ...parameters, cursor: requested ?? undefined }
  const reading = useGet(path, next, { isNeeded: requested !== null }) as ServiceReply<Page>
  useEffect(() => {
    if (reading.kind !== 'known' || requested === null) return
    setMore((before) => [...before, reading.value])
    setRequested(null)
  }, [reading])
  const cursor = cursorAfter(first, more)
  return { first, more, next: cursor === null || requested !== null ? null : () => setRequested(cursor) }
}

function cursorAfter(first: ServiceReply<Cursored>, more: readonly Cursored[]): string | null {
  const last = more.at(-1) ?? (first.kind === 'known' ? first.value : undefined)
  return last?.next_cursor ?? null
}

/** A temporary failure does not replace an answer that is already shown. */
function latest<Answer>(before: Known<Answer>, next: Known<Answer>): Known<Answer> {
  const isTemporary = next.reply.kind === 'refused' && next.reply.refusal.againIn !== null
  return isTemporary && before.of === next.of && before.reply.kind === 'known' ? before : next
}

const KEY_REFUSED = 'This key was rejected. Check that it is complete, not revoked and not expired.'

async function replyTo<Answer>(ask: DashboardAsk<Answer>, signal: AbortSignal): Promise<ServiceReply<Answer>> {
  requestsRunning.value += 1
  const stopCounting = countIfSlow()
  try {
    return { kind: 'known', value: await ask(client.value.api, signal) }
  } catch (cause) {
    const refusal = refusalOf(cause)
    if (refusal.kind === 'key' && !signal.aborted) signOut(KEY_REFUSED)
    return { kind: 'refused', refusal }
  } finally {
    requestsRunning.value -= 1
    stopCounting()
  }
}

/** Counts a request as slow from `SLOW_MS` on until the returned function is called. */
function countIfSlow(): () => void {
  let slow = 0
  const timer = setTimeout(() => {
    slow = 1
    slowRequests.value += 1
  }, SLOW_MS)
  return () => {
    clearTimeout(timer)
    slowRequests.value -= slow
  }
}
