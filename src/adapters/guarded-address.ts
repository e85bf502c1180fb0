import { Resolver } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import ipaddr from 'ipaddr.js'
import { parsedUrl } from '../events/canonical-url.ts'
import { ForbiddenAddress } from '../ports/http.ts'

/** Resolves a name to all its addresses. Throws if there are none; `code` of the error says why. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Which URLs from external input (feeds, webhook endpoints) may be requested. */
export interface AddressPolicy {
  /** Allowed protocols, for example `https:`. */
  readonly protocols: readonly string[]
  /** Whether a URL may carry a user name and a password. */
  readonly credentials: boolean
  /** Whether a host name may be resolved at all. */
  readonly isOpenName: (name: string) => boolean
  /** Whether a connection to an IP address is allowed for a URL. */
  readonly isOpenAddress: (address: string, url: URL) => boolean
  readonly resolve: Resolve
  /** How an operator can allow a non-public address; appended to the error message. */
  readonly remedy?: string
}

/** A parsed URL. Its text is never parsed again. */
export interface GuardedTarget {
  readonly url: URL
  /** A host name without a trailing dot, or an IP address without brackets. */
  readonly host: string
}

/** Azure's platform services, reachable from inside Azure at an address that looks public. */
const AZURE_PLATFORM = '168.63.129.16'

/** The part of IPv6 that IANA has assigned to global unicast. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an IP address is on the public internet: not loopback, private, link-local or reserved. */
export function isPublicAddress(address: string): boolean {
  const ip = parsedIp(address)
  if (ip?.range() !== 'unicast') return false
  return ip instanceof ipaddr.IPv6 ? ip.match(GLOBAL_UNICAST) : ip.toString() !== AZURE_PLATFORM
}

export const isLoopbackAddress = (address: string): boolean => parsedIp(address)?.range() === 'loopback'

/** An IPv4-mapped IPv6 address counts as its IPv4 address. `null` if the text is not an IP address or has a zone. */
const parsedIp = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | null =>
  isIP(address) === 0 || address.includes('%') ? null : ipaddr.process(address)

/** Names that are never on the public internet (RFC 6761, 6762, 8375, ICANN's `.internal`). */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/
export const isLocalhost = (name: string): boolean => /(^|\.)localhost$/.test(name)

export const isPublicName = (name: string): boolean =>
  name.includes('.') && !name.endsWith('.') && !LOCAL_NAME.test(name)

/** Timeout of one query to one name server; each query is made twice. */
const DNS_TIMEOUT_MS = 2_500

/**
 * Queries the name servers directly (c-ares). The system resolver also resolves local names, and each lookup occupies
 * one of the four libuv threads until the name server responds: four unresponsive names would block all others.
 */
export function dnsResolve(): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
  return async (name) => {
    const lookups = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = lookups.flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []))
    const failure = lookups.find((lookup) => lookup.status === 'rejected')
    if (found.length === 0 && failure !== undefined) throw failure.reason
    return found
  }
}

/** Parses a URL. Throws `ForbiddenAddress` if the policy rejects it whatever its addresses are. */
export function targetOf(text: string, policy: AddressPolicy): GuardedTarget {
  const { protocols, credentials } = policy
  const url = parsedUrl(text)
  if (url === null) throw new ForbiddenAddress('not a URL')
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (!credentials && url.username + url.password !== '') {
    throw new ForbiddenAddress('credentials in a URL are not supported')
  }
  if (!protocols.includes(url.protocol)) {
    throw new ForbiddenAddress(
      `only ${protocols.map((protocol) => protocol.slice(0, -1)).join(' and ')} URLs are supported`,
    )
  }
  if (isIP(host) === 0 && !policy.isOpenName(host)) throw notPublic(host, policy)
  return { url, host }
}

/**
 * Resolves a target to its addresses. Throws `ForbiddenAddress` if any of them is forbidden, and rethrows errors of
 * `resolve`.
 */
export async function addressesOf({ url, host }: GuardedTarget, policy: AddressPolicy): Promise<readonly string[]> {
  const addresses = await resolved(host, policy)
  const forbidden = addresses.find((address) => !policy.isOpenAddress(address, url))
  if (forbidden !== undefined) throw notPublic(forbidden === host ? host : `${host} is at ${forbidden}, which`, policy)
  if (addresses.length > 0) return addresses
  throw Object.assign(new Error(`${host} has no address`), { code: 'ENODATA' })
}

const notPublic = (what: string, { remedy }: AddressPolicy): ForbiddenAddress =>
  new ForbiddenAddress([what, 'is not a public address', remedy ?? ''].join(' ').trimEnd())

async function resolved(host: string, { resolve }: AddressPolicy): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  return isLocalhost(host) ? ['127.0.0.1', '::1'] : resolve(host)
}

export interface GuardedRequest extends Pick<RequestOptions, 'method' | 'headers' | 'maxHeaderSize'> {
  readonly policy: AddressPolicy
  readonly signal: AbortSignal
  readonly body?: string
  /** Certificate authorities to trust instead of the default ones, PEM. */
  readonly ca?: string | undefined
}

/**
 * Sends one request and resolves with its response. Redirects are not followed. The name is resolved once and the
 * connection uses a checked address, which prevents DNS rebinding.
 */
export async function guardedRequest(target: GuardedTarget, request: GuardedRequest): Promise<IncomingMessage> {
  const { policy, signal, body, ca, ...options } = request
  const addresses = await Promise.race([addressesOf(target, policy), rejectedBy(signal)])
  const { url, host } = target
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = send({
      ...urlToHttpOptions(url),
      ...options,
      hostname: host,
      lookup: pinnedTo(addresses),
      agent: false, // a pooled connection may have been opened for another name
      rejectUnauthorized: true,
      signal,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
    })
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.on('close', () => reject(Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' })))
    sent.end(body)
  })
}

async function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('ended'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

/** A `lookup` function that returns the checked addresses. */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (all === true) callback(null, found)
    else if (first !== undefined) callback(null, first.address, first.family)
    else callback(new Error('no address'), [])
  }
