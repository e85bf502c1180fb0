/** A request to a service from the configuration. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** `null` if there is none. */
  readonly body: string | null
}

export interface HttpAnswer {
  readonly status: number
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The complete body as UTF-8 text. */
  readonly body: string
}

/**
 * Sends a request. Resolves for any status. Throws if there is no complete response (no connection, timeout, connection
 * closed, body too large). Redirects are not followed, because the request contains credentials.
 */
export type Http = (request: HttpRequest, signal?: AbortSignal) => Promise<HttpAnswer>

/** A URL from external input that must not be requested: its protocol is not allowed, or its address is not public. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/** A document from a URL of external input, such as a feed. */
export interface FetchedDocument {
  /** The URL after redirects. */
  readonly url: string
  /** The statuses of the redirects that led to it, in order. */
  readonly redirects: readonly number[]
  readonly status: number
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A GET request. Throws if there is no response, if it is larger than allowed (`TooLarge`), and `ForbiddenAddress`. */
export type GetDocument = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
) => Promise<FetchedDocument>

/** POST requests to URLs from external input. */
export interface Outbound {
  /**
   * Throws `ForbiddenAddress` if the URL is forbidden. A name that does not resolve is accepted, because it may resolve
   * later.
   */
  check(url: string): Promise<void>
  /**
   * POSTs a body without following redirects. The address is checked when connecting. Resolves for any status; the
   * response body is not read. Throws `ForbiddenAddress`, or another error (with a `code` or name) if there is no
   * response.
   */
  post(url: string, request: OutboundRequest, signal?: AbortSignal): Promise<OutboundAnswer>
}

export interface OutboundRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface OutboundAnswer {
  readonly status: number
  /** The header `retry-after`, seconds from now; `null` if there is none. */
  readonly retryAfterSeconds: number | null
}

/** The server responded, but not with a WebSocket. */
export class SocketRefused extends Error {
  override readonly name = 'SocketRefused'
  /** HTTP status. */
  readonly status: number

  constructor(status: number) {
    super(`no WebSocket: HTTP ${status}`)
    this.status = status
  }
}

/**
 * The text frames of a WebSocket, in order. Ends when the server closes the connection or the signal aborts. Throws if
 * the connection is lost or cannot be opened (`SocketRefused` if the server sent an HTTP response).
 */
export type OpenSocket = (url: string, signal: AbortSignal) => AsyncIterable<string>
