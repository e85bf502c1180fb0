import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** DER (X.690): tag, length, contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, ...derLength(body.length)]), body])
}

/** The shortest form: Java encodes a certificate again before it verifies the signature. */
function derLength(length: number): readonly number[] {
  if (length < 128) return [length]
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
}

const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value))

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const VALID = sequence(text(0x17, '200101000000Z'), text(0x18, '21200101000000Z'))

/** A private key and its certificate, both as PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

export interface Authority {
  readonly cert: string
  /** A certificate for a server with this name and these IPv4 addresses. */
  issue(name: string, addresses: readonly string[]): Certificate
}

interface Signed {
  readonly name: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly signingKey: KeyObject
  readonly extensions: readonly Buffer[]
}

/** A certificate that a name has signed for itself (X.509 v3), made for one test. */
export function aCertificate(name: string): Certificate {
  const { privateKey, publicKey } = aKeyPair()
  const extensions = [names(name, []), IS_AUTHORITY]
  return {
    key: pkcs8(privateKey),
    cert: signed({ name, issuer: name, publicKey, signingKey: privateKey, extensions }),
  }
}

/** An authority of its own, made at the start of a cluster; its private key is nowhere but here. */
export function anAuthority(issuer: string): Authority {
  const own = aKeyPair()
  const signingKey = own.privateKey
  return {
    cert: signed({ name: issuer, issuer, publicKey: own.publicKey, signingKey, extensions: [IS_AUTHORITY] }),
    issue: (name, addresses) => {
      const { privateKey, publicKey } = aKeyPair()
      const extensions = [names(name, addresses)]
      return { key: pkcs8(privateKey), cert: signed({ name, issuer, publicKey, signingKey, extensions }) }
    },
  }
}

const aKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const IS_AUTHORITY = sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([255])))))

/** The names that a client may have connected to (subjectAltName). */
function names(name: string, addresses: readonly string[]): Buffer {
  const bytes = addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number))))
  return sequence(oid('551d11'), der(0x04, sequence(text(0x82, name), ...bytes)))
}

const distinguished = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), text(0x0c, name))))

function signed({ name, issuer, publicKey, signingKey, extensions }: Signed): string {
  const contents = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    // one byte in front keeps the number positive
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    distinguished(issuer),
    VALID,
    distinguished(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', contents, signingKey))
  const base64 = sequence(contents, ECDSA_SHA256, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}
