import { lookup, type LookupAddress } from 'node:dns'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FetchedFeed, Get } from '../sources/feeds/get.ts'
import { isPublicAddress } from './public-address.ts'

export interface GuardOptions {
  /** For development only: loopback and private addresses are let through. */
  readonly allowPrivate: boolean
  /** Of a whole answer, redirects included. */
  readonly timeoutMs: number
  /** Of an unpacked body. */
  readonly maxBytes: number
}

const REDIRECTS = 5
const REMEDY = '(to allow it: FEEDS_ALLOW_PRIVATE_ADDRESSES=1)'

/**
 * GET for addresses that strangers name: http(s) only, public addresses only. The address is checked where it is
 * connected to (a name may answer differently the second time it is asked), at every redirect again.
 */
export const guardedGet =
  (options: GuardOptions): Get =>
  async (url, headers) => {
    const signal = AbortSignal.timeout(options.timeoutMs)
    let at = checked(url, options)
    for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
      const response = await send(at, headers, { ...options, signal })
      const { statusCode = 0 } = response
      const { location } = response.headers
      if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) {
        return fetched(response, at, { ...options, signal })
      }
      response.destroy()
      at = checked(new URL(location, at).href, options)
    }
    throw new Error('too many redirects')
  }

function checked(url: string, { allowPrivate }: GuardOptions): URL {
  const parsed = new URL(url)
  if (!/^https?:$/.test(parsed.protocol)) throw new Error(`${parsed.protocol} addresses are not fetched`)
  // A literal address is never looked up, so it is checked here.
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host))
    throw new Error(`${host} is not a public address ${REMEDY}`)
  return parsed
}

interface Sending extends GuardOptions {
  readonly signal: AbortSignal
}

async function send(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { allowPrivate, signal }: Sending,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      headers: { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'story-intelligence-service', ...headers },
      lookup: publicLookup(allowPrivate),
      agent: false, // no connection is kept that another name was checked for
      signal,
    })
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.end()
  })
}

/** Resolves a name and refuses it when any of its addresses is closed; what it answers is what is connected to. */
const publicLookup =
  (allowPrivate: boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (cause, found: LookupAddress[] | undefined) => {
      const addresses = found ?? [] // none beside an error
      const refused = cause ?? (allowPrivate ? null : shut(hostname, addresses))
      const [first] = addresses
      if (refused !== null || first === undefined) callback(refused ?? new Error(`${hostname} has no address`), [])
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }

function shut(hostname: string, addresses: readonly LookupAddress[]): Error | null {
  const closed = addresses.find(({ address }) => !isPublicAddress(address))
  return closed === undefined
    ? null
    : new Error(`${hostname} is at ${closed.address}, which is not a public address ${REMEDY}`)
}

async function fetched(response: IncomingMessage, url: URL, { maxBytes }: Sending): Promise<FetchedFeed> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of unpacked(response)) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    bytes += part.length
    if (bytes > maxBytes) {
      response.destroy()
      throw new Error(`more than ${maxBytes} bytes`)
    }
    parts.push(part)
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
  return { url: url.href, status: response.statusCode ?? 0, headers, body: Buffer.concat(parts) }
}

function unpacked(response: IncomingMessage): AsyncIterable<unknown> {
  const packing = response.headers['content-encoding'] ?? 'identity'
  const unpack = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }[
    packing
  ]
  if (unpack === undefined) return response
  const stream = unpack()
  response.on('error', (cause) => stream.destroy(cause))
  return response.pipe(stream)
}
