import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Clock } from '../ports/clock.ts'
import { ForbiddenAddress, type Outbound, type OutboundAnswer, type OutboundRequest } from '../ports/http.ts'
import {
  addressesOf,
  dnsResolve,
  isPlain,
  pinnedTo,
  targetOf,
  type Opening,
  type Resolve,
  type GuardedHostTarget,
} from './guarded-host.ts'

export interface OutboundOptions {
  readonly clock: Pick<Clock, 'now'>
  /** For development only: receivers on this machine too, which may be reached over plain HTTP. */
  readonly allowLoopback: boolean
  /** Of a whole attempt: look-up, connection, request, the answer's headers. */
  readonly timeoutMs?: number
  readonly resolve?: Resolve
  /** Certificates of authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string
}

const TIMEOUT_MS = 15_000
const MAX_HEADER_BYTES = 16 * 1024

/**
 * POST to addresses that strangers name: https and the public internet only, no redirects, no proxy. A name is looked up
 * once, refused when any of its addresses is closed, and the connection goes to an address that was looked at then.
 */
export function outbound(options: OutboundOptions): Outbound {
  const opening: Opening = { allowLoopback: options.allowLoopback, resolve: options.resolve ?? dnsResolve() }
  return {
    check: async (url) => {
      const target = targetOf(url, opening)
      await addressesOf(target, opening).catch((cause: unknown) => {
        if (cause instanceof ForbiddenAddress) throw cause
        if (isPlain(target)) throw new ForbiddenAddress('plain http is for loopback addresses only', { cause })
      })
    },
    post: async (url, request, signal) => {
      const target = targetOf(url, opening)
      return inTime(options.timeoutMs ?? TIMEOUT_MS, signal, async (ending) => {
        const addresses = await Promise.race([addressesOf(target, opening), failedBy(ending)])
        return answerOf(await send(target, { request, addresses, ending, ca: options.ca }), options.clock)
      })
    },
  }
}

/** One signal a request: one that lives as long as the process would otherwise gather them all. */
async function inTime<Result>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (ending: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const abort = (): void => ending.abort(new DOMException('ended', 'AbortError'))
  const late = setTimeout(() => ending.abort(new DOMException('too slow', 'TimeoutError')), timeoutMs)
  signal?.addEventListener('abort', abort)
  if (signal?.aborted === true) abort()
  try {
    return await work(ending.signal)
  } catch (cause) {
    throw ending.signal.aborted ? ending.signal.reason : cause
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', abort)
  }
}

async function failedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new Error('ended'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

interface Sending {
  readonly request: OutboundRequest
  readonly addresses: readonly string[]
  readonly ending: AbortSignal
  readonly ca: string | undefined
}

/** Nothing of the text of a URL is parsed a second time: the parts that were checked are those that are used. */
async function send(
  { url, host }: GuardedHostTarget,
  { request, addresses, ending, ca }: Sending,
): Promise<IncomingMessage> {
  const make = url.protocol === 'https:' ? httpsRequest : httpRequest
  const name = isIP(host) === 0 ? { servername: host } : {}
  return new Promise((resolve, reject) => {
    const sent = make({
      method: 'POST',
      protocol: url.protocol,
      hostname: host,
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers: { ...request.headers, 'content-length': Buffer.byteLength(request.body) },
      lookup: pinnedTo(addresses),
      agent: false, // no connection is kept that another name was checked for
      maxHeaderSize: MAX_HEADER_BYTES,
      rejectUnauthorized: true,
      signal: ending,
      ...name,
      ...(ca === undefined ? {} : { ca }),
    })
    sent.on('response', (response) => {
      response.on('error', () => undefined) // of a body that nobody reads
      response.destroy()
      resolve(response)
    })
    sent.on('error', reject)
    sent.on('close', () => reject(Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' })))
    sent.end(request.body)
  })
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, { now }: Pick<Clock, 'now'>): OutboundAnswer {
  return { status: statusCode, retryAfterSeconds: secondsUntil(headers['retry-after'], now()) }
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function secondsUntil(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  if (/^\d+$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}
