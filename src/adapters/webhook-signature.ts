import { Webhook } from 'standardwebhooks'

export interface SignedDelivery {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Byte for byte as it is sent. */
  readonly body: string
}

/** The header `webhook-signature` of Standard Webhooks: one signature a secret (`whsec_…`), with spaces between them. */
export const signatures = ({ id, timestamp, body }: SignedDelivery, secrets: readonly string[]): string =>
  secrets.map((secret) => new Webhook(secret).sign(id, new Date(timestamp * 1000), body)).join(' ')
