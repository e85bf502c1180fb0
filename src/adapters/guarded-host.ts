import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { parsedUrl } from '../events/parsed-url.ts'
import { ForbiddenAddress } from '../ports/http.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** All addresses of a name. Throws where it has none; the error's `code` says why. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Of one name server, each of two times. */
const DNS_TIMEOUT_MS = 2_500

/**
 * Asks the name servers. Not the system's own look-up: that one knows local names, and takes one of four threads of the
 * process for as long as a name server is silent, so that four names of a stranger would hold up everybody's.
 */
export function dnsResolve(): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
  return async (name) => {
    const lookups = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = lookups.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (found.length > 0) return found
    for (const one of lookups) if (one.status === 'rejected') throw one.reason
    throw Object.assign(new Error(`${name} has no address`), { code: 'ENODATA' })
  }
}

export interface Opening {
  /** For development only: this machine too, over plain HTTP too. */
  readonly allowLoopback: boolean
  readonly resolve: Resolve
}

/** Names that never stand for somebody on the public internet (RFC 6761, 6762, 8375, ICANN's `.internal`). */
const LOCAL = /(^|\.)(localhost|localdomain|local|internal|home\.arpa)$/

const LOCALHOST = /(^|\.)localhost$/

/** An address as it was understood, which is all that is used of it from then on. */
export interface GuardedHostTarget {
  readonly url: URL
  /** A name without a last dot, or an IP address without brackets. */
  readonly host: string
}

/** Throws `ForbiddenAddress` for what no look-up can make good. */
export function targetOf(text: string, { allowLoopback }: Opening): GuardedHostTarget {
  const url = parsedUrl(text)
  if (url === null) throw new ForbiddenAddress('this is no URL')
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (url.username !== '' || url.password !== '') throw new ForbiddenAddress('a URL here carries no credentials')
  if (!(allowLoopback ? ['https:', 'http:'] : ['https:']).includes(url.protocol)) {
    throw new ForbiddenAddress('only https URLs are supported')
  }
  if (isIP(host) === 0 && !isOpenName(host, allowLoopback)) {
    throw new ForbiddenAddress(`${host} is no name of the public internet`)
  }
  return { url, host }
}

function isOpenName(host: string, allowLoopback: boolean): boolean {
  if (allowLoopback && LOCALHOST.test(host)) return true
  return host.includes('.') && !host.endsWith('.') && !LOCAL.test(host)
}

/** Plain HTTP: accepted for loopback addresses only, so not for a name whose addresses are not known. */
export const isPlain = ({ url }: GuardedHostTarget): boolean => url.protocol === 'http:'

/** Where it is. Throws `ForbiddenAddress` when any of its addresses is closed, and what `resolve` throws. */
export async function addressesOf(target: GuardedHostTarget, opening: Opening): Promise<readonly string[]> {
  const { host } = target
  const addresses = await resolved(host, opening)
  const isOpen = (address: string): boolean =>
    (opening.allowLoopback && isLoopbackAddress(address)) || (!isPlain(target) && isPublicAddress(address))
  const shut = addresses.find((address) => !isOpen(address))
  if (shut !== undefined) throw new ForbiddenAddress(`${host} is at ${shut}, which is closed`)
  if (addresses.length > 0) return addresses
  throw Object.assign(new Error(`${host} has no address`), { code: 'ENODATA' })
}

async function resolved(host: string, { resolve }: Opening): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  if (LOCALHOST.test(host)) return ['127.0.0.1', '::1']
  return resolve(host)
}

/** Answers a socket that asks for a name with what was checked, whatever the name servers say by now. */
export const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (all === true) callback(null, found)
    else if (first !== undefined) callback(null, first.address, first.family)
    else callback(new Error('no address'), [])
  }
