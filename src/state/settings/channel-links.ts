import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export type ChannelLinkPurpose = 'confirm' | 'unsubscribe'

interface LinkedChannel {
  readonly monitor_id: string
  readonly channel_id: string
}

/** The tokens in links of e-mails. They confirm or unsubscribe the address of the message without an API key. */
export interface ChannelLinks {
  /** 43 characters, base64url. */
  readonly token: (purpose: ChannelLinkPurpose, channel: LinkedChannel) => string
  readonly isToken: (given: string, purpose: ChannelLinkPurpose, channel: LinkedChannel) => boolean
}

/** HMAC-SHA256 (RFC 2104) under a key that HKDF-SHA256 (RFC 5869) derives from `SECRETS_KEY`. */
export function channelLinks(secret: string): ChannelLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'channel-links', 32))
  const mac = (purpose: ChannelLinkPurpose, { monitor_id, channel_id }: LinkedChannel): Buffer =>
    createHmac('sha256', key).update([purpose, monitor_id, channel_id].join('\n')).digest()
  return {
    token: (purpose, channel) => mac(purpose, channel).toString('base64url'),
    isToken: (given, purpose, channel) => {
      const [own, other] = [mac(purpose, channel), Buffer.from(given, 'base64url')]
      return own.length === other.length && timingSafeEqual(own, other)
    },
  }
}
