import type { IncomingMessage } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { retryAfterSeconds } from '../domain/retry-after.ts'
import type { Clock } from '../ports/clock.ts'
import { ForbiddenAddress, type Outbound, type OutboundAnswer } from '../ports/http.ts'
import { inTime } from './http.ts'
import {
  addressesOf,
  dnsResolve,
  guardedRequest,
  isLocalhost,
  isLoopbackAddress,
  isPublicAddress,
  isPublicName,
  targetOf,
  type AddressPolicy,
  type Resolve,
} from './guarded-address.ts'

export interface OutboundOptions {
  readonly clock: Pick<Clock, 'now'>
  /** For development only: also allows loopback endpoints, over plain HTTP too. */
  readonly allowLoopback: boolean
  /** Timeout of a whole attempt: name resolution, connection, request, response headers. */
  readonly timeoutMs?: number
  readonly resolve?: Resolve
  /** Certificate authorities to trust instead of the default ones, PEM. */
  readonly ca?: string
}

const TIMEOUT_MS = 15_000
const MAX_HEADER_BYTES = 16 * 1024

/** POST to URLs from external input (webhook endpoints): https and public addresses only, no redirects, no proxy. */
export function outbound({ allowLoopback, resolve = dnsResolve(), ...options }: OutboundOptions): Outbound {
  const policy = webhookPolicy(allowLoopback, resolve)
  return {
    check: async (url) => {
      const target = targetOf(url, policy)
      await addressesOf(target, policy).catch((cause: unknown) => {
        if (cause instanceof ForbiddenAddress) throw cause
        if (isPlain(target.url)) {
          throw new ForbiddenAddress('plain http is supported for loopback addresses only', { cause })
        }
      })
    },
    post: async (url, { headers, body }, signal) => {
      const target = targetOf(url, policy)
      return inTime(options.timeoutMs ?? TIMEOUT_MS, signal, async (ending) => {
        const response = await guardedRequest(target, {
          method: 'POST',
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          body,
          maxHeaderSize: MAX_HEADER_BYTES,
          policy,
          signal: ending,
          ca: options.ca,
        })
        response.on('error', () => undefined) // the body is not read
        response.destroy()
        return answerOf(response, options.clock)
      })
    },
  }
}

const isPlain = ({ protocol }: URL): boolean => protocol === 'http:'

/** Plain HTTP is allowed for loopback addresses only. */
const webhookPolicy = (allowLoopback: boolean, resolve: Resolve): AddressPolicy => ({
  protocols: allowLoopback ? ['https:', 'http:'] : ['https:'],
  credentials: false,
  isOpenName: (name) => isPublicName(name) || (allowLoopback && isLocalhost(name)),
  isOpenAddress: (address, url) =>
    (allowLoopback && isLoopbackAddress(address)) || (!isPlain(url) && isPublicAddress(address)),
  resolve,
})

function answerOf({ statusCode = 0, headers }: IncomingMessage, { now }: Pick<Clock, 'now'>): OutboundAnswer {
  return { status: statusCode, retryAfterSeconds: retryAfterSeconds(headers['retry-after'], now()) }
}

export interface SignedDelivery {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** The exact bytes that are sent. */
  readonly body: string
}

/** The header `webhook-signature` of Standard Webhooks: one signature per secret (`whsec_…`), separated by spaces. */
export const signatures = ({ id, timestamp, body }: SignedDelivery, secrets: readonly string[]): string =>
  secrets.map((secret) => new Webhook(secret).sign(id, new Date(timestamp * 1000), body)).join(' ')
