import type { Clock } from '../../ports/clock.ts'

export type ReadBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'not_json' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'late' }

/** The client closed the connection in the middle of the request, so no response can be sent. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

export interface ReadBodyLimits {
  readonly maxBytes: number
  /** Time limit for receiving the body, from now on. */
  readonly deadlineMs: number
  readonly clock: Clock
}

/** The value of `Content-Length`; `null` if there is none. */
export function announcedBytes({ headers }: Request): number | null {
  const announced = headers.get('content-length')
  return announced === null ? null : Number(announced)
}

/**
 * Reads a JSON body of at most `maxBytes`. Refuses it if the announced length is too large, as soon as it grows too
 * large, or if it does not arrive in time. Throws `ClientGone` if the body ends early, because the client has
 * disconnected.
 */
export async function readBody(request: Request, { maxBytes, deadlineMs, clock }: ReadBodyLimits): Promise<ReadBody> {
  const announced = announcedBytes(request)
  if (announced !== null && announced > maxBytes) return { kind: 'too_large' }

  const ended = new AbortController()
  const reading = bytesOf(request, { announced, maxBytes, ended: ended.signal }).catch((cause: unknown) => {
    throw new ClientGone('the body ended early', { cause })
  })
  const late = counted(clock, deadlineMs, ended.signal).then(() => 'late' as const)
  try {
    const bytes = await Promise.race([reading, late])
    if (bytes === 'late') return { kind: 'late' }
    return bytes === null ? { kind: 'too_large' } : json(bytes)
  } finally {
    ended.abort()
    reading.catch(() => undefined) // reading may end after the deadline, when the connection is closed
  }
}

const SLICES = 10

/**
 * Resolves after `ms` of time in which bytes could be read, or when `ended` aborts. The time is counted in slices:
 * while this process is blocked it reads nothing, so a pause counts as one slice at most.
 */
async function counted(clock: Clock, ms: number, ended: AbortSignal): Promise<void> {
  for (let slice = 0; slice < SLICES && !ended.aborted; slice++) await clock.sleep(ms / SLICES, ended)
}

interface BodyLimit {
  readonly announced: number | null
  readonly maxBytes: number
  /** When aborted, bytes that still arrive are discarded. */
  readonly ended: AbortSignal
}

/**
 * Bodies up to this announced length are read in one piece, which is faster. Larger ones are read in chunks, so that
 * reading can stop early.
 */
const SHORT_BYTES = 65_536

const bytesOf = async (request: Request, reading: BodyLimit): Promise<Buffer | null> =>
  reading.announced !== null && reading.announced <= SHORT_BYTES
    ? Buffer.from(await request.arrayBuffer())
    : bytesUpTo(request, reading)

/** `null` if the body is too long. */
async function bytesUpTo(request: Request, { maxBytes, ended }: BodyLimit): Promise<Buffer | null> {
  if (request.body === null) return Buffer.alloc(0)
  const stream: ReadableStream<Uint8Array> = request.body
  const reader = stream.getReader()
  const parts: Uint8Array[] = []
  let bytes = 0
  ended.addEventListener('abort', () => parts.splice(0))
  for (let part = await reader.read(); !part.done && !ended.aborted; part = await reader.read()) {
    bytes += part.value.byteLength
    if (bytes > maxBytes) {
      await reader.cancel()
      return null
    }
    parts.push(part.value)
  }
  return Buffer.concat(parts)
}

/**
 * Parses JSON as UTF-8 (RFC 8259). Invalid bytes are refused, not replaced. An empty body is `undefined`, which some
 * routes accept.
 */
function json(bytes: Buffer): ReadBody {
  if (bytes.length === 0) return { kind: 'json', value: undefined }
  try {
    return { kind: 'json', value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof TypeError) return { kind: 'not_json' }
    throw cause
  }
}
