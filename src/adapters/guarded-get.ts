import type { IncomingMessage } from 'node:http'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FetchedDocument, GetDocument } from '../ports/http.ts'
import { dnsResolve, guardedRequest, isPublicAddress, targetOf, type AddressPolicy } from './guarded-address.ts'
import { bytesOf } from './http.ts'

export interface GuardOptions {
  /** For development only: allows loopback and private addresses. */
  readonly allowPrivate: boolean
  /** Timeout of a whole response, redirects included. */
  readonly timeoutMs: number
  /** Maximum size of a decompressed body. */
  readonly maxBytes: number
}

const MAX_REDIRECTS = 5
const REDIRECT_STATUSES = [301, 302, 303, 307, 308]

/** GET for URLs from external input: http(s) and public addresses only. Each redirect is checked again. */
export function guardedGet({ allowPrivate, timeoutMs, maxBytes }: GuardOptions): GetDocument {
  const policy = documentPolicy(allowPrivate)
  return async (url, headers) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'story-intelligence-service', ...headers }
    let target = targetOf(url, policy)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await guardedRequest(target, { headers: sent, policy, signal })
      const { statusCode = 0 } = response
      const { location } = response.headers
      if (!REDIRECT_STATUSES.includes(statusCode) || location === undefined) {
        return fetched(response, target.url, maxBytes)
      }
      response.destroy()
      target = targetOf(new URL(location, target.url).href, policy)
    }
    throw new Error('too many redirects')
  }
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

async function fetched(response: IncomingMessage, url: URL, maxBytes: number): Promise<FetchedDocument> {
  const body = await bytesOf(decompressed(response), maxBytes).finally(() => response.destroy())
  const headers = Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')])
  return {
    url: url.href,
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
  }
}

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
