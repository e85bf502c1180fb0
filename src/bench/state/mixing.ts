/** Mixes the bits of a 32-bit number: the finaliser of MurmurHash3. Returns an unsigned number. */
export function mixBits(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** One 32-bit number that depends on two. */
export const mixPair = (one: number, other: number): number => mixBits(Math.imul(one, 0x9e3779b1) ^ mixBits(other + 1))

/** A number in [0, 1) from a 32-bit number. */
export const fraction = (hash: number): number => hash / 2 ** 32
