/** Why there was no answer, in a constant. */
export type NoAnswer =
  'timeout' | 'refused' | 'dns' | 'tls' | 'reset' | 'url_not_allowed' | 'secret_unreadable' | 'internal'

/** Thrown where none of an endpoint's secrets can be unsealed: the body cannot be signed. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'
}

/** Codes of Node's sockets, resolver, TLS and HTTP parser, by what they mean to the owner of an endpoint. */
const MEANS: readonly (readonly [RegExp, NoAnswer])[] = [
  [/^(ForbiddenAddress)$/, 'url_not_allowed'],
  [/^(SecretUnreadable)$/, 'secret_unreadable'],
  [/^(TimeoutError|AbortError|ETIMEDOUT|ESOCKETTIMEDOUT)$/, 'timeout'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'refused'],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|ENOTIMP|EREFUSED|EBADRESP|EBADNAME|ETIMEOUT|ECANCELLED|EAI_\w+|EFORMERR)$/, 'dns'],
  [/^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|HOSTNAME_MISMATCH)$/, 'tls'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|HPE_\w+)$/, 'reset'],
]

/** What an attempt without an answer died of. What nobody foresaw is our own fault. */
export function whyNot(cause: unknown): NoAnswer {
  const words = [wordOf(cause, 'name'), wordOf(cause, 'code')]
  return MEANS.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1] ?? 'internal'
}

function wordOf(cause: unknown, field: 'name' | 'code'): string {
  const value = typeof cause === 'object' && cause !== null ? (Reflect.get(cause, field) as unknown) : null
  return typeof value === 'string' ? value : ''
}
