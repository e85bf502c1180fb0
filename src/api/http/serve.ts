import { getRequestListener, RequestError } from '@hono/node-server'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'
import { wholeApi, type RoutesOf, type WholeApi } from './app.ts'
import { LONGEST_WAIT_MS } from './body-admission.ts'
import type { Dependencies } from './dependencies.ts'
import { hasHost, refuseAddress, refuseUnreadable } from './unreadable.ts'

export interface ServedApi {
  readonly url: string
  /**
   * Shuts down gracefully: `/readyz` reports that it is draining, and responses ask clients to close their connections.
   * After `drainMs` the listener closes, running requests may finish, and the remaining ones are cut off after a
   * deadline.
   */
  stop(): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** How long to keep listening after shutdown begins, so that load balancers notice it. Default: 0. */
  readonly drainMs?: number
  /** How long an idle connection is kept open. Default: 75 s. */
  readonly keepAliveMs?: number
}

const DRAIN_MS = 10_000
/** Load balancers keep idle connections for 60 s; this server must not be the first to close one. */
const KEEP_ALIVE_MS = 75_000

/** Node's connection limits. A request that begins just before the keep-alive timeout can still finish its headers. */
export const connectionLimits = (keepAliveMs: number) => ({
  keepAliveTimeout: keepAliveMs,
  headersTimeout: keepAliveMs + 5_000,
  /**
   * For the whole request, including the wait for the body's admission. It is longer than the body's deadline and the
   * longest wait together.
   */
  requestTimeout: keepAliveMs + 5_000 + LONGEST_WAIT_MS + 100_000,
})

/** Starts the listener. Rejects with the system's error (`EADDRINUSE`) if the port is in use. */
export async function serve(
  dependencies: Dependencies,
  routesOf: RoutesOf,
  listening: ListenOptions,
): Promise<ServedApi> {
  const { host, port, drainMs = 0, keepAliveMs = KEEP_ALIVE_MS } = listening
  const [draining, stopping] = [new AbortController(), new AbortController()]
  const { app, fastPath } = wholeApi(
    { ...dependencies, draining: draining.signal, stopping: stopping.signal },
    routesOf,
  )
  const answer = answering(app, dependencies)
  const server = createServer({ requireHostHeader: false, ...connectionLimits(keepAliveMs) }, (request, response) => {
    if (draining.signal.aborted) response.setHeader('connection', 'close')
    else if (hasHost(request) && fastPath(request, response)) return
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections() // a keep-alive connection must not delay shutdown
    })
    if (hasBody(request)) readRestOfBody(request, response)
    void answer(request, response)
  })
  refuseUnreadable(server, dependencies)
  const closeUnused = unusedConnections(server)
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
      closeUnused()
      stopping.abort() // ends streams; their clients reconnect to another instance
      await drained
    },
  }
}

/**
 * Connects the app to Node's server. Handles URLs that the adapter cannot parse, because the adapter's own response has
 * no body.
 */
function answering(app: WholeApi['app'], dependencies: Dependencies) {
  const listener = getRequestListener(app.fetch, {
    autoCleanupIncoming: false, // it cuts a connection off half a second after the response: see `readRestOfBody`
    errorHandler: (error) => {
      if (!(error instanceof RequestError)) dependencies.logger.error({ err: error }, 'internal_error')
    },
  })
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (hasHost(request)) await listener(request, response)
    if (!response.headersSent) refuseAddress(request, response, dependencies)
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/**
 * Reads what a response left of its request's body, within the request's time limit. A client that sends a large body
 * over a slow connection would otherwise get a broken pipe instead of the error that refused it. A connection that the
 * client asked to close is closed after that; Node would close it right after the response.
 */
function readRestOfBody(request: IncomingMessage, response: ServerResponse): void {
  const isLast = !response.shouldKeepAlive
  response.shouldKeepAlive = true
  response.once('finish', () => {
    if (isLast) finished(request, { writable: false }, () => request.socket.end())
    request.resume()
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the API listens on no port')
  return address.port
}

/**
 * Closes connections on which nothing was received. Node does not count them as idle, and clients keep them open for a
 * long time.
 */
function unusedConnections(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
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
