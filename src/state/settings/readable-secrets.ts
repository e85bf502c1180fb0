import type { WebhookChanged } from '../../events/webhooks.ts'
import type { Seal } from './seal.ts'

type ReadableSecretsEndpoint = Pick<WebhookChanged, 'webhook_id' | 'secrets'>

/**
 * The signing secrets of an endpoint that have not expired and can be unsealed. After a rotation under a new `SECRETS_KEY`
 * that is the new one alone.
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

/** Ids of the active endpoints that nothing can be signed for: their secrets were sealed under another `SECRETS_KEY`. */
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
