import { createHash, randomInt } from 'node:crypto'

const PREFIX = 'pk_live_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_CHARACTERS = 30 // 178 random bits
const CHECKSUM_CHARACTERS = 6
const SHAPE = /^pk_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** `pk_live_`, 30 random base62 characters, 6 of checksum: a typo is found before any look-up, a scanner finds a leak. */
export function newKey(): string {
  const secret = Array.from({ length: SECRET_CHARACTERS }, () => BASE62.charAt(randomInt(BASE62.length))).join('')
  return PREFIX + secret + checksum(secret)
}

/** Whether it is written as a key is; `isKey` checks its checksum, too. */
export const hasKeyForm = (text: string): boolean => SHAPE.test(text)

export function isKey(text: string): boolean {
  const [, secret = '', given] = SHAPE.exec(text) ?? []
  return given !== undefined && given === checksum(secret)
}

/** Hex SHA-256 of the whole key: all that is ever stored. High entropy needs no slow hash. */
export const keyHash = (key: string): string => createHash('sha256').update(key).digest('hex')

/** From the first 48 bits of the SHA-256 of prefix and secret. */
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
