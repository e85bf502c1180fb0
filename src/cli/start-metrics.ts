import { createServer } from 'node:http'
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
  const { host, port } = wiring.config.metrics
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  lifecycle.opened('metrics', async () => await new Promise((resolve) => server.close(() => resolve())))
}
