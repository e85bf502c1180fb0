import { on } from 'node:events'
import { WebSocket } from 'ws'
import { SocketRefused, type OpenSocket } from '../ports/http.ts'
import { isSafeAddress } from './http.ts'

export interface SocketOptions {
  /** Offered subprotocols, best first. */
  readonly protocols: readonly string[]
  /** Interval of pings. A connection without a response for this long counts as lost. */
  readonly pingMs: number
  /** Maximum size of one frame. */
  readonly maxBytes: number
}

const DEFAULTS: SocketOptions = { protocols: [], pingMs: 20_000, maxBytes: 1024 * 1024 }
const HANDSHAKE_MS = 20_000
/** Reading pauses at the first number of buffered frames and resumes at the second. */
const MOST_WAITING = 1_000
const FEW_WAITING = 100
/** The close code of a lost connection. */
const LOST = 1006

/** WebSockets over TLS, or without TLS to this machine only. */
export const openSocket =
  (options: Partial<SocketOptions> = {}): OpenSocket =>
  (url, signal) =>
    frames(url, signal, { ...DEFAULTS, ...options })

async function* frames(url: string, signal: AbortSignal, options: SocketOptions): AsyncGenerator<string> {
  if (!isSafeAddress(url.replace(/^ws/, 'http'))) throw new Error('only wss and this machine are supported')
  const isOver = (): boolean => signal.aborted
  if (isOver()) return
  const { protocols, maxBytes } = options
  const socket = new WebSocket(url, [...protocols], { maxPayload: maxBytes, handshakeTimeout: HANDSHAKE_MS })
  const inbox = on(socket, 'message', {
    signal,
    close: ['close'],
    highWaterMark: MOST_WAITING,
    lowWaterMark: FEW_WAITING,
  }) as AsyncIterable<readonly [data: Buffer, isBinary: boolean]>
  const ended = watched(socket, options)
  try {
    for await (const [data, isBinary] of inbox) if (!isBinary) yield data.toString('utf8')
    if (ended.code === LOST) throw new Error('connection lost')
  } catch (cause) {
    if (!isOver()) throw cause
  } finally {
    socket.terminate()
  }
}

/** Terminates a socket that was rejected or no longer responds. Returns an object that receives the close code. */
function watched(socket: WebSocket, { pingMs }: SocketOptions): { readonly code: number | null } {
  const ended: { code: number | null } = { code: null }
  let isAlive = true
  const poll = setInterval(() => {
    if (!isAlive) socket.terminate()
    isAlive = false
    if (socket.readyState === WebSocket.OPEN) socket.ping()
  }, pingMs)
  const markAlive = (): void => {
    isAlive = true
  }
  socket.on('open', markAlive)
  socket.on('message', markAlive)
  socket.on('pong', markAlive)
  socket.on('unexpected-response', (request, { statusCode = 0 }) => {
    socket.emit('error', new SocketRefused(statusCode))
    request.destroy()
  })
  socket.on('error', () => undefined) // the reader gets the first error; later ones must not crash the process
  socket.on('close', (code) => {
    ended.code = code
    clearInterval(poll)
  })
  return ended
}
