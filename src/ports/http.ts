/** A request to a service that the configuration names. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null: none. */
  readonly body: string | null
}

export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Whole, as UTF-8 text. */
  readonly body: string
}

/**
 * Sends a request; any status is an answer. Throws when there is none: no connection, too slow, cut off, too large.
 * Redirects are not followed, since credentials must not travel on.
 */
export type Http = (request: HttpRequest, signal?: AbortSignal) => Promise<HttpAnswer>

/** A URL that others name and that must not be requested: its protocol, or an address outside the public internet. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/** A document from an address that others name, such as a feed. */
export interface FetchedDocument {
  /** The address after redirects. */
  readonly url: string
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** One GET. Throws when there is no response, and `ForbiddenAddress`. */
export type GetDocument = (url: string, headers: Readonly<Record<string, string>>) => Promise<FetchedDocument>

/** POST requests to addresses that others name. */
export interface Outbound {
  /** Throws `ForbiddenAddress` where it is known to be one; a name that has no address now may have one later. */
  check(url: string): Promise<void>
  /**
   * POST of a body, without redirects; the address is checked where it is connected to. Any status is an answer, its body
   * is not read. Throws `ForbiddenAddress`; anything else where there is no answer (the error's `code` or name says why).
   */
  post(url: string, request: OutboundRequest, signal?: AbortSignal): Promise<OutboundAnswer>
}

export interface OutboundRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface OutboundAnswer {
  readonly status: number
  /** The header `retry-after`, seconds from now; null: none. */
  readonly retryAfterSeconds: number | null
}

/** The other side answered, but not with a WebSocket. */
export class SocketRefused extends Error {
  override readonly name = 'SocketRefused'
  /** Of HTTP. */
  readonly status: number

  constructor(status: number) {
    super(`no WebSocket: HTTP ${status}`)
    this.status = status
  }
}

/**
 * Text frames of a WebSocket, in order. Ends when the other side closes; throws when the connection is lost or none comes
 * about (`SocketRefused` where there is an answer). Aborting the signal ends it.
 */
export type OpenSocket = (url: string, signal: AbortSignal) => AsyncIterable<string>
