import { getRequestListener } from '@hono/node-server'
import { createServer, type Server } from 'node:http'
import { createApi } from './app.ts'
import type { Dependencies } from './dependencies.ts'

export interface ServedApi {
  readonly url: string
  /** Takes no more connections, lets requests in hand finish, then closes; cuts what is left after the deadline. */
  stop(): Promise<void>
}

const DRAIN_MS = 10_000

/** Starts the listener. A taken port rejects with the system's error (`EADDRINUSE`). */
export async function serveApi(
  dependencies: Dependencies,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<ServedApi> {
  const answer = getRequestListener(createApi(dependencies).fetch)
  const server = createServer((request, response) => {
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections() // a client that keeps its connection must not hold the stop
    })
    void answer(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return { url: `http://${host}:${portOf(server)}`, stop: async () => await drain(server, dependencies) }
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
