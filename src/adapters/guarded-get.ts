import type { IncomingMessage } from 'node:http'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FetchedDocument, GetDocument } from '../ports/http.ts'
import { dnsResolve, guardedRequest, isPublicAddress, targetOf, type AddressPolicy } from './guarded-address.ts'
import { bytesOf, inTime } from './http.ts'

export interface GuardOptions {
  /** For development only: allows loopback and private addresses. */
  readonly allowPrivate: boolean
  /** Timeout of a whole response, redirects included. */
  readonly timeoutMs: number
  /** Maximum size of a decompressed body. */
  readonly maxBytes: number
  /** The header `User-Agent`. */
  readonly userAgent?: string
}

const USER_AGENT = 'story-intelligence-service'
const MAX_REDIRECTS = 5
const REDIRECT_STATUSES = [301, 302, 303, 307, 308]

/** Like `guardedGet`, for callers that follow redirects themselves: a redirect is returned, without its body. */
export function guardedHop({ allowPrivate, timeoutMs, maxBytes, userAgent = USER_AGENT }: GuardOptions): GetDocument {
  const policy = documentPolicy(allowPrivate)
  return (url, headers, signal) =>
    inTime(timeoutMs, signal, async (ending) => {
      const target = targetOf(url, policy)
      const response = await guardedRequest(target, {
        headers: sentHeaders(headers, userAgent),
        policy,
        signal: ending,
      })
      return fetched(response, { url: target.url, redirects: [] }, maxBytes)
    })
}

/** GET for URLs from external input: http(s) and public addresses only. Each redirect is checked again. */
export function guardedGet({ allowPrivate, timeoutMs, maxBytes, userAgent = USER_AGENT }: GuardOptions): GetDocument {
  const policy = documentPolicy(allowPrivate)
  return (url, headers, signal) =>
    inTime(timeoutMs, signal, async (ending) => {
      const sent = sentHeaders(headers, userAgent)
      let target = targetOf(url, policy)
      const redirects: number[] = []
      while (redirects.length <= MAX_REDIRECTS) {
        const response = await guardedRequest(target, { headers: sent, policy, signal: ending })
        const location = redirectOf(response)
        if (location === null) return fetched(response, { url: target.url, redirects }, maxBytes)
        response.destroy()
        target = targetOf(new URL(location, target.url).href, policy)
        redirects.push(response.statusCode ?? 0)
      }
      throw new TooManyRedirects('too many redirects')
    })
}

const sentHeaders = (headers: Readonly<Record<string, string>>, userAgent: string) => ({
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': userAgent,
  ...headers,
})

const redirectOf = ({ statusCode = 0, headers: { location } }: IncomingMessage): string | null =>
  REDIRECT_STATUSES.includes(statusCode) ? (location ?? null) : null

class TooManyRedirects extends Error {
  override readonly name = 'TooManyRedirects'
}

/** Host names are not restricted, only the addresses they resolve to. */
const documentPolicy = (allowPrivate: boolean): AddressPolicy => ({
  protocols: ['http:', 'https:'],
  credentials: true,
  isOpenName: () => true,
  isOpenAddress: (address) => allowPrivate || isPublicAddress(address),
  resolve: dnsResolve(),
  remedy: '(to allow it: FEEDS_ALLOW_PRIVATE_ADDRESSES=1)',
})

interface Reached {
  readonly url: URL
  readonly redirects: readonly number[]
}

async function fetched(
  response: IncomingMessage,
  { url, redirects }: Reached,
  maxBytes: number,
): Promise<FetchedDocument> {
  const body = await bodyOf(response, maxBytes).finally(() => response.destroy())
  const headers = Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')])
  return {
    url: url.href,
    redirects,
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
  }
}

const bodyOf = async (response: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  redirectOf(response) === null ? bytesOf(decompressed(response), maxBytes) : Buffer.alloc(0)

const DECOMPRESSORS: Readonly<Record<string, typeof createGunzip | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function decompressed(response: IncomingMessage): AsyncIterable<unknown> {
  const stream = DECOMPRESSORS[response.headers['content-encoding'] ?? 'identity']?.()
  if (stream === undefined) return response
  response.on('error', (cause) => stream.destroy(cause))
  return response.pipe(stream)
}
