import { BlockList, isIP } from 'node:net'
import { parsedUrl } from '../events/parsed-url.ts'

/** Address ranges that are not the public internet (IANA special-purpose registries), and one that only looks so. */
const closed = new BlockList()
const RANGES_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared by carriers; Alibaba's metadata
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's own services, from within
  ['169.254.0.0', 16], // link-local; metadata of most clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24], // Oracle's metadata
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const
const RANGES_6 = [
  ['2001::', 23], // Teredo among them
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4: an IPv4 address in disguise
  ['3fff::', 20],
] as const
for (const [net, bits] of RANGES_4) closed.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of RANGES_6) closed.addSubnet(net, bits, 'ipv6')

/** What IANA has given out of IPv6; everything else is local, translated, reserved or nobody's. */
const given = new BlockList()
given.addSubnet('2000::', 3, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an IP address is one of the public internet: no loopback, private, link-local or reserved one. */
export function isPublicAddress(address: string): boolean {
  const plain = plainOf(address)
  if (plain === null) return false
  if (isIP(plain) === 4) return !closed.check(plain, 'ipv4')
  return given.check(plain, 'ipv6') && !closed.check(plain, 'ipv6')
}

export function isLoopbackAddress(address: string): boolean {
  const plain = plainOf(address)
  return plain !== null && loopback.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6')
}

/** In its one canonical spelling, an IPv4 address mapped into IPv6 as the IPv4 address it is; null: no address. */
function plainOf(address: string): string | null {
  if (isIP(address) === 4) return address
  const url = `http://[${address}]/` // which knows no zones: an address of one link only is none
  const parsed = isIP(address) === 0 ? null : parsedUrl(url)
  if (parsed === null) return null
  const canonical = parsed.hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  return mapped === null ? canonical : dotted(mapped[1] ?? '', mapped[2] ?? '')
}

const dotted = (high: string, low: string): string => {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}
