import { generateKeyPairSync, sign } from 'node:crypto'

/** DER (X.690): tag, length, contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents)
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value))

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const VALID = sequence(text(0x17, '200101000000Z'), text(0x18, '21200101000000Z'))

/** A certificate that a name has signed for itself (X.509 v3), made for one test. */
export function aCertificate(name: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const subject = sequence(der(0x31, sequence(oid('550403'), text(0x0c, name))))
  const names = sequence(oid('551d11'), der(0x04, sequence(text(0x82, name))))
  const isAuthority = sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([255])))))
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    subject,
    VALID,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(names, isAuthority)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey))
  const base64 = sequence(signed, ECDSA_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
