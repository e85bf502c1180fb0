import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { WebhookChanged } from '../../events/webhooks.ts'

/** Encrypts short secrets stored in the log. */
export interface Seal {
  /** Returns 12 bytes of nonce, 16 bytes of tag, and the encrypted text. */
  readonly seal: (text: string, about: string) => Buffer
  /** Throws if it was sealed with another key or another `about`, or was modified since. */
  readonly unseal: (sealed: Uint8Array, about: string) => string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM (NIST SP 800-38D) under a key that HKDF-SHA256 (RFC 5869) derives from `secret` for this `purpose`. `about`
 * (the id of what the secret belongs to) is authenticated, so that a sealed secret cannot be moved to another's record.
 */
export function sealing(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  return {
    seal: (text, about) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
    },
    unseal: (sealed, about) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      )
    },
  }
}

type ReadableSecretsEndpoint = Pick<WebhookChanged, 'webhook_id' | 'secrets'>

/**
 * The signing secrets of an endpoint that have not expired and can be unsealed. After a rotation under a new
 * `SECRETS_KEY` only the new secret remains.
 */
export const readableSecrets = (
  endpoint: ReadableSecretsEndpoint,
  unseal: Seal['unseal'],
  now: number,
): readonly string[] =>
  endpoint.secrets
    .filter(({ expires_at }) => expires_at === null || expires_at > now)
    .flatMap(({ sealed }) => {
      try {
        return [unseal(sealed, endpoint.webhook_id)]
      } catch {
        return [] // sealed under another key
      }
    })

/** Ids of active endpoints without a usable signing secret: theirs were sealed with another `SECRETS_KEY`. */
export const unreadableEndpoints = (
  endpoints: readonly (ReadableSecretsEndpoint & Pick<WebhookChanged, 'status'>)[],
  unseal: Seal['unseal'],
  now: number,
): readonly string[] =>
  endpoints
    .filter((endpoint) => endpoint.status === 'active' && readableSecrets(endpoint, unseal, now).length === 0)
    .map(({ webhook_id }) => webhook_id)

/** The warning for an operator. */
export const unreadableWarning = (ids: readonly string[]): string =>
  `the secrets of ${ids.length === 1 ? '1 webhook endpoint were' : `${ids.length} webhook endpoints were`} sealed under another SECRETS_KEY` +
  ` (${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}): deliveries to them fail with \`secret_unreadable\`.` +
  ' Start with the SECRETS_KEY that they were sealed under, or rotate each secret (POST /v1/webhooks/{id}/rotate)'
