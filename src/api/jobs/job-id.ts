import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { REFUSALS, type ItemRefusal } from './intake.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_CHARACTERS = 10
const ULID_CHARACTERS = 26
const RANDOM_BYTES = 10
const MAC_BYTES = 10
const SHAPE = /^[0-7][0-9A-HJKMNP-TV-Z]{41}$/

interface JobIdSigner {
  readonly namespace: string
  readonly secret: string
}

/**
 * A ULID (26 characters) and 16 characters of a MAC over the ULID, the namespace and the result of the submission. Any
 * instance can recognise the service's job ids, their namespace and a refused item without stored state.
 */
export const newJobId = (now: number, refusal: ItemRefusal | null, signed: JobIdSigner): string =>
  withMac(time(now) + crockford(randomBytes(RANDOM_BYTES)), refusal, signed)

/** An item of a submission under an `Idempotency-Key`. */
export interface KeyedItem {
  /** The hash of the key, see `KeyedRequest`. */
  readonly key_hash: string
  /** Time of the first request with the key, in milliseconds since 1970. */
  readonly at: number
  /** Index in the batch, from 0. */
  readonly index: number
}

/**
 * A deterministic job id, the same for the same item on every instance. The part that is random in other ids is derived
 * from the secret.
 */
export function keyedJobId(
  { key_hash, at, index }: KeyedItem,
  refusal: ItemRefusal | null,
  signed: JobIdSigner,
): string {
  const digest = hmac(signed.secret, `keyed job\n${signed.namespace}\n${key_hash}\n${at}\n${index}`)
  return withMac(time(at) + crockford(digest.subarray(0, RANDOM_BYTES)), refusal, signed)
}

const withMac = (ulid: string, refusal: ItemRefusal | null, signed: JobIdSigner): string =>
  ulid + mac(ulid, refusal, signed)

/**
 * When a job was submitted, and why it was refused; `refusal` is `null` if the log has stored it. Returns `null` if
 * this is not a job id of the namespace.
 */
export function readJobId(
  id: string,
  signed: JobIdSigner,
): { readonly submitted_at: number; readonly refusal: ItemRefusal | null } | null {
  if (!SHAPE.test(id)) return null
  const ulid = id.slice(0, ULID_CHARACTERS)
  const given = Buffer.from(id.slice(ULID_CHARACTERS))
  const meant = [null, ...REFUSALS].find((one) => timingSafeEqual(given, Buffer.from(mac(ulid, one, signed))))
  return meant === undefined ? null : { submitted_at: timeOf(ulid), refusal: meant }
}

function mac(ulid: string, refusal: ItemRefusal | null, { namespace, secret }: JobIdSigner): string {
  const text = `job\n${namespace}\n${ulid}\n${refusal ?? ''}`
  return crockford(hmac(secret, text).subarray(0, MAC_BYTES))
}

const hmac = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text).digest()

/** Crockford base32: 5 bits per character, so 10 bytes give 16 characters. */
function crockford(bytes: Uint8Array): string {
  let value = bytes.reduce((all, byte) => (all << 8n) | BigInt(byte), 0n)
  let out = ''
  for (let i = 0; i < (bytes.length * 8) / 5; i++) {
    out = CROCKFORD.charAt(Number(value & 31n)) + out
    value >>= 5n
  }
  return out
}

function time(ms: number): string {
  let out = ''
  for (let rest = ms; out.length < TIME_CHARACTERS; rest = Math.floor(rest / 32))
    out = CROCKFORD.charAt(rest % 32) + out
  return out
}

const timeOf = (ulid: string): number =>
  Array.from(ulid.slice(0, TIME_CHARACTERS)).reduce((ms, character) => ms * 32 + CROCKFORD.indexOf(character), 0)
