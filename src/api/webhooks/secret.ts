import { hkdfSync, randomBytes } from 'node:crypto'
import type { SealedSecret, WebhookChanged } from '../../events/webhooks.ts'
import type { Seal } from '../../state/settings/secrets.ts'

const SECRET_BYTES = 24
/** Limit of earlier secrets that still sign, so that repeated rotations do not make the signature header too long. */
const MOST_EARLIER = 4

/** Standard Webhooks format: base64 after `whsec_`. */
const written = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`

export const randomSecret = (): string => written(randomBytes(SECRET_BYTES))

/**
 * The secret of an endpoint that was created under an `Idempotency-Key` at a time in milliseconds since 1970. It is derived
 * from the endpoint and the service's own secret (HKDF-SHA256, RFC 5869), so that a retry returns it without storing it.
 */
export const derivedSecret = (secretsKey: string, { id, at }: { readonly id: string; readonly at: number }): string =>
  written(new Uint8Array(hkdfSync('sha256', secretsKey, '', `secret of webhook ${id} of ${at}`, SECRET_BYTES)))

/**
 * Whether this is the current signing secret. False if it was rotated or was sealed with another key of the service.
 */
export function isCurrent(secret: string, { webhook_id, secrets }: WebhookChanged, { unseal }: Seal): boolean {
  const [current] = secrets
  try {
    return current !== undefined && unseal(current.sealed, webhook_id) === secret
  } catch {
    return false
  }
}

export const sealed = (secret: string, webhookId: string, { seal }: Seal): SealedSecret => ({
  sealed: seal(secret, webhookId),
  expires_at: null,
})

/**
 * The secrets after a rotation, the new one first. Earlier ones expire at their own time or at the end of the overlap,
 * whichever is earlier. Nothing changes if the new one is already among them. Times are in milliseconds since 1970.
 */
export function rotated(
  next: SealedSecret,
  before: readonly SealedSecret[],
  { now, until }: { readonly now: number; readonly until: number },
): readonly SealedSecret[] {
  if (before.some(({ sealed }) => next.sealed.equals(sealed))) return before
  const earlier = before
    .map(({ sealed, expires_at }) => ({ sealed, expires_at: Math.min(expires_at ?? until, until) }))
    .filter(({ expires_at }) => expires_at > now)
  return [next, ...earlier.slice(0, MOST_EARLIER)]
}
