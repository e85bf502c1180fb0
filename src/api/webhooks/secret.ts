import { hkdfSync, randomBytes } from 'node:crypto'
import type { SealedSecret } from '../../events/webhooks.ts'
import type { Seal } from '../../settings/seal.ts'

const SECRET_BYTES = 24
/** Of earlier secrets that still sign: somebody who rotates again and again does not make a header without end. */
const MOST_EARLIER = 4

/** Standard Webhooks: base64 behind `whsec_`. */
const written = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`

export const randomSecret = (): string => written(randomBytes(SECRET_BYTES))

/**
 * The secret of an endpoint made under an `Idempotency-Key`: follows from the endpoint's id and the service's own secret
 * (HKDF-SHA256, RFC 5869), so that a repeat is given the same without its being kept anywhere.
 */
export const derivedSecret = (secretsKey: string, webhookId: string): string =>
  written(new Uint8Array(hkdfSync('sha256', secretsKey, '', `secret of webhook ${webhookId}`, SECRET_BYTES)))

export const sealed = (secret: string, webhookId: string, { seal }: Seal): SealedSecret => ({
  sealed: seal(secret, webhookId),
  expires_at: null,
})

/** The new secret first; those before it end when they would have, or with the overlap. Milliseconds since 1970. */
export function rotated(
  next: SealedSecret,
  before: readonly SealedSecret[],
  { now, until }: { readonly now: number; readonly until: number },
): readonly SealedSecret[] {
  const earlier = before
    .map(({ sealed, expires_at }) => ({ sealed, expires_at: Math.min(expires_at ?? until, until) }))
    .filter(({ expires_at }) => expires_at > now)
  return [next, ...earlier.slice(0, MOST_EARLIER)]
}
