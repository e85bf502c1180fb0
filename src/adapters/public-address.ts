import { BlockList, isIP } from 'node:net'

/** Address ranges that are not the public internet (IANA special-purpose registries). */
const closed = new BlockList()
const RANGES_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const
const RANGES_6 = [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const
for (const [net, bits] of RANGES_4) closed.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of RANGES_6) closed.addSubnet(net, bits, 'ipv6')

/** Whether an IP address is one of the public internet: no loopback, private, link-local or reserved one. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address)
  if (mapped !== null) return isPublicAddress(mapped[1] ?? dotted(mapped[2] ?? '', mapped[3] ?? ''))
  const family = isIP(address)
  return family !== 0 && !closed.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const dotted = (high: string, low: string): string => {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}
