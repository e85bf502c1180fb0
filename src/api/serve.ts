import { getRequestListener } from '@hono/node-server'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { finished, type Duplex } from 'node:stream'
import { wholeApi } from './app.ts'
import type { Dependencies } from './dependencies.ts'

export interface ServedApi {
  readonly url: string
  /**
   * Says on `/readyz` that it is draining, and to who keeps a connection that it ends; after a while takes no more
   * connections, lets requests in hand finish, then closes; cuts what is left after the deadline.
   */
  stop(): Promise<void>
}

export interface Listening {
  readonly host: string
  readonly port: number
  /** How long it goes on listening, so that who spreads the load hears of the end before it comes. */
  readonly drainMs?: number
}

const DRAIN_MS = 10_000

/** Starts the listener. A taken port rejects with the system's error (`EADDRINUSE`). */
export async function serveApi(dependencies: Dependencies, { host, port, drainMs = 0 }: Listening): Promise<ServedApi> {
  const [draining, stopping] = [new AbortController(), new AbortController()]
  const { app, quick } = wholeApi({ ...dependencies, draining: draining.signal, stopping: stopping.signal })
  const answer = getRequestListener(app.fetch)
  const server = createServer((request, response) => {
    if (draining.signal.aborted) response.setHeader('connection', 'close')
    else if (quick(request, response)) return
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections() // a client that keeps its connection must not hold the stop
    })
    if (!response.shouldKeepAlive && hasBody(request)) closeBehind(request, response)
    void answer(request, response)
  })
  server.on('clientError', answerUnreadable)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: `http://${host}:${portOf(server)}`,
    stop: async () => {
      draining.abort()
      if (drainMs > 0) await dependencies.clock.sleep(drainMs)
      const drained = drain(server, dependencies)
      stopping.abort() // streams would never end; who listens finds another instance
      await drained
    },
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/**
 * Closes the connection that a client wants closed once its body is read, too: Node closes it behind the answer, and a
 * client whose large body is refused early would meet a broken pipe where it looks for the refusal.
 */
function closeBehind(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = true
  response.once('finish', () => finished(request, { writable: false }, () => request.socket.end()))
}

/** What is no HTTP never reaches the app; it is answered in the same shape. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const [status, title] = tooLong ? [431, 'Request Header Fields Too Large'] : [400, 'Bad Request']
  const detail = tooLong ? 'The address or the headers are too long' : 'This is no HTTP request that can be read'
  const code = tooLong ? 'headers_too_large' : 'bad_request'
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, instance: '', code })
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/problem+json\r\nx-request-id: ${randomUUID()}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the API listens on no port')
  return address.port
}

async function drain(server: Server, { clock, logger }: Dependencies): Promise<void> {
  const drained = new AbortController()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const cut = clock.sleep(DRAIN_MS, drained.signal).then(() => {
    if (!drained.signal.aborted) logger.warn({}, 'requests_cut_at_shutdown')
    server.closeAllConnections()
  })
  await closed
  drained.abort()
  await cut
}
