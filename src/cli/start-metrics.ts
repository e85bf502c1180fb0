import { createServer } from 'node:http'
import { freePort } from '../engines/free-port.ts'
import type { Started } from './started.ts'

/** `/metrics` for Prometheus, on a port of its own, on the loopback address unless METRICS_HOST says otherwise. */
export async function startMetrics({ wiring, running, lifecycle }: Started): Promise<void> {
  const { metrics, logger } = running
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.page().then(
      (page) => response.writeHead(200, { 'content-type': metrics.contentType }).end(page),
      (cause: unknown) => {
        logger.error({ err: cause }, 'metrics page failed')
        response.writeHead(500).end()
      },
    )
  })
  const { host, port: preferred } = wiring.config.metrics
  const port = await freePort({ variable: 'METRICS_PORT', set: wiring.config.setPorts.metrics, preferred }, new Set())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  if (port !== preferred) logger.info({ port, taken: preferred }, 'metrics are on another port')
  lifecycle.opened('metrics', async () => await new Promise((resolve) => server.close(() => resolve())))
}
