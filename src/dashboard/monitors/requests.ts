import { StoryError } from '../../../sdk/src/index.ts'
import { bodyOf, client, refusalOf } from '../state/service.ts'
import type { ConditionsPreview, MatchPage, ShownConditions, ShownMonitor } from './answers.ts'

interface MonitorRequest {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** After `/v1/monitors`. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The result of a change that the user requested. */
export type ChangeResult<Answer> =
  | { readonly kind: 'done'; readonly value: Answer }
  | { readonly kind: 'invalid'; readonly errors: StoryError['errors'] }
  | { readonly kind: 'failed'; readonly message: string }

interface MonitorPage {
  readonly monitors: readonly ShownMonitor[]
  readonly next_cursor: string | null
}

/** Sends a request to the routes of monitors. Throws `StoryError`. */
async function request({ method, path, body, headers = {}, signal }: MonitorRequest): Promise<unknown> {
  const init = { headers, ...(body === undefined ? {} : { body }), ...(signal === undefined ? {} : { signal }) }
  const { data } = await client.value.api.request(method as never, `/v1/monitors${path}` as never, init as never)
  return data
}

const read = async <Answer>(path: string, signal: AbortSignal): Promise<Answer> =>
  bodyOf({ data: (await request({ method: 'get', path, signal })) as Answer })

/** All monitors that the key can see, oldest first. */
export async function readMonitors(signal: AbortSignal): Promise<readonly ShownMonitor[]> {
  const monitors: ShownMonitor[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: MonitorPage = await read(`?limit=1000${after}`, signal)
    monitors.push(...page.monitors)
    cursor = page.next_cursor
  }
  return monitors
}

export const readMonitor = async (id: string, signal: AbortSignal): Promise<ShownMonitor> => read(pathOf(id), signal)

interface MatchPosition {
  readonly limit: number
  /** `null` for the newest matches. */
  readonly cursor: string | null
}

export async function readMatches(
  id: string,
  { limit, cursor }: MatchPosition,
  signal: AbortSignal,
): Promise<MatchPage> {
  const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
  return read(`${pathOf(id)}/matches?limit=${limit}${after}`, signal)
}

export type PreviewResult = Exclude<ChangeResult<ConditionsPreview>, { readonly kind: 'failed' }>

const PREVIEW_DAYS = 30

/** The stories of the last 30 days that meet the conditions, or the errors in the conditions. */
export async function readPreview(conditions: ShownConditions, signal: AbortSignal): Promise<PreviewResult> {
  try {
    const body = { conditions, days: PREVIEW_DAYS }
    const value = (await request({ method: 'post', path: '/test', body, signal })) as ConditionsPreview
    return { kind: 'done', value }
  } catch (cause) {
    if (!isInvalid(cause)) throw cause
    return { kind: 'invalid', errors: cause.errors }
  }
}

/**
 * Whether the key may change monitors. The API has no operation that returns the scopes of a key, but it checks the
 * scope before the body: this body is invalid, so that nothing is created.
 */
export async function mayWrite(signal: AbortSignal): Promise<boolean> {
  try {
    await request({ method: 'post', path: '', body: {}, signal })
    return true
  } catch (cause) {
    if (!(cause instanceof StoryError) || (cause.status !== 403 && cause.status !== 422)) throw cause
    return cause.status === 422
  }
}

/** Sends a change. */
export async function change<Answer = void>(given: MonitorRequest): Promise<ChangeResult<Answer>> {
  try {
    return { kind: 'done', value: (await request(given)) as Answer }
  } catch (cause) {
    if (isInvalid(cause)) return { kind: 'invalid', errors: cause.errors }
    return { kind: 'failed', message: `${refusalOf(cause).message}.`.replace(/\.\.$/, '.') }
  }
}

/** A 422 that names the fields. */
const isInvalid = (cause: unknown): cause is StoryError =>
  cause instanceof StoryError && cause.status === 422 && cause.errors.length > 0

export const pathOf = (id: string): string => `/${encodeURIComponent(id)}`
