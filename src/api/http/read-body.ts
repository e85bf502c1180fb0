import type { Clock } from '../../ports/clock.ts'

export type ReadBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'not_json' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'late' }

/** The client has closed the connection in the middle of the request: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

export interface ReadBodyLimits {
  readonly maxBytes: number
  /** Time the body may take to arrive, from now on. */
  readonly deadlineMs: number
  readonly clock: Clock
}

/** The announced length of a body; null: none was announced. */
export function announcedBytes({ headers }: Request): number | null {
  const announced = headers.get('content-length')
  return announced === null ? null : Number(announced)
}

/**
 * The JSON of a body of at most `maxBytes`, refused on its announced length, as soon as it is longer, or when it has not
 * arrived in time. Throws `ClientGone`: a body that cannot be read to its end is one whose sender has left.
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
    reading.catch(() => undefined) // it may end after the deadline, when the connection is closed
  }
}

const SLICES = 10

/**
 * Resolves after `ms` in which bytes could be read, or when `ended`. Counted in slices: while this process is busy it reads
 * nothing, and that time is not the client's; of one pause at most a slice counts.
 */
async function counted(clock: Clock, ms: number, ended: AbortSignal): Promise<void> {
  for (let slice = 0; slice < SLICES && !ended.aborted; slice++) await clock.sleep(ms / SLICES, ended)
}

interface BodyLimit {
  readonly announced: number | null
  readonly maxBytes: number
  /** Aborted: what still comes is not kept. */
  readonly ended: AbortSignal
}

/** In one piece where little was announced, which is quicker; else part by part, so that reading can end early. */
const SHORT_BYTES = 65_536

const bytesOf = async (request: Request, reading: BodyLimit): Promise<Buffer | null> =>
  reading.announced !== null && reading.announced <= SHORT_BYTES
    ? Buffer.from(await request.arrayBuffer())
    : bytesUpTo(request, reading)

/** Null: too long. */
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

/** JSON is UTF-8 (RFC 8259): other bytes are refused, not replaced. No bytes are no body, which some routes do without. */
function json(bytes: Buffer): ReadBody {
  if (bytes.length === 0) return { kind: 'json', value: undefined }
  try {
    return { kind: 'json', value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof TypeError) return { kind: 'not_json' }
    throw cause
  }
}
