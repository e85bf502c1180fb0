import { createHash, randomInt } from 'node:crypto'

const PREFIX = 'pk_live_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_CHARACTERS = 30 // 178 random bits
const CHECKSUM_CHARACTERS = 6
const SHAPE = /^pk_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/**
 * A new key: `pk_live_`, 30 random base62 characters and a checksum of 6 characters. The checksum detects a typo
 * without a lookup, and the prefix lets secret scanners find a leaked key.
 */
export function newKey(): string {
  const secret = Array.from({ length: SECRET_CHARACTERS }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
  return PREFIX + secret + checksum(secret)
}

/** Whether the text has the format of a key. `isKey` also verifies the checksum. */
export const hasKeyForm = (text: string): boolean => SHAPE.test(text)

export function isKey(text: string): boolean {
  const [, secret = '', given] = SHAPE.exec(text) ?? []
  return given !== undefined && given === checksum(secret)
}

/** Hex SHA-256 of the whole key; only the hash is ever stored. A key has enough entropy that no slow hash is needed. */
export const keyHash = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Computed from the first 48 bits of the SHA-256 of prefix and secret. */
function checksum(secret: string): string {
  let rest = createHash('sha256')
    .update(PREFIX + secret)
    .digest()
    .readUIntBE(0, 6)
  let out = ''
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    out = BASE62.charAt(rest % BASE62.length) + out
    rest = Math.floor(rest / BASE62.length)
  }
  return out
}
