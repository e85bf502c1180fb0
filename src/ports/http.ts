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
