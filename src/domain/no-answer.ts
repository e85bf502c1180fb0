/** Why a request to an address from external input got no response. */
export type NoAnswer =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'reset'
  | 'too_large'
  | 'too_many_redirects'
  /** The body cannot be decompressed. */
  | 'unreadable'
  | 'url_not_allowed'
  | 'secret_unreadable'
  /** No mail server is configured. */
  | 'no_mail_server'
  | 'internal'

/** Error names, and error codes of Node's sockets, resolver, TLS and HTTP parser, by their meaning for a reader. */
const REASONS: readonly (readonly [RegExp, NoAnswer])[] = [
  [/^(ForbiddenAddress)$/, 'url_not_allowed'],
  [/^(SecretUnreadable)$/, 'secret_unreadable'],
  [/^(NoMailServer)$/, 'no_mail_server'],
  [/^(TooLarge)$/, 'too_large'],
  [/^(TooManyRedirects)$/, 'too_many_redirects'],
  [/^(Z_\w+|ERR__ERROR_\w+|ERR_PADDING_\w+)$/, 'unreadable'],
  [/^(TimeoutError|AbortError|ETIMEDOUT|ESOCKETTIMEDOUT)$/, 'timeout'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'refused'],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|ENOTIMP|EREFUSED|EBADRESP|EBADNAME|ETIMEOUT|ECANCELLED|EAI_\w+|EFORMERR)$/, 'dns'],
  [/^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|HOSTNAME_MISMATCH)$/, 'tls'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|HPE_\w+)$/, 'reset'],
]

/** Why a request got no response. An unknown cause counts as our own error (`internal`). */
export function noAnswerReason(cause: unknown): NoAnswer {
  const names = [textField(cause, 'name'), textField(cause, 'code')]
  return REASONS.find(([pattern]) => names.some((word) => pattern.test(word)))?.[1] ?? 'internal'
}

function textField(cause: unknown, field: 'name' | 'code'): string {
  const value = typeof cause === 'object' && cause !== null ? (Reflect.get(cause, field) as unknown) : null
  return typeof value === 'string' ? value : ''
}
