import { createServer } from 'node:http'
import { freePort } from '../engines/free-port.ts'
import { health, type Health } from '../runtime/health.ts'
import type { RuntimePorts } from '../runtime/running.ts'
import type { StartedProcess } from './started-process.ts'

/**
 * HTTP server for Prometheus and probes, on a separate port, on the loopback address unless METRICS_HOST is set:
 * `/metrics`; `/health`, the state of each consumer of this process; `/livez`, 503 if a consumer is stuck and a restart
 * may help; `/readyz`, 503 while the state of a partition is restored.
 */
export async function startMetrics({ wiring, running, lifecycle }: StartedProcess): Promise<void> {
  const { logger } = running
  const server = createServer((request, response) => {
    const page = pages[request.url ?? '']
    if (page === undefined) {
      response.writeHead(404).end()
      return
    }
    page(running).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      (cause: unknown) => {
        logger.error({ err: cause, path: request.url }, 'page failed')
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
  if (port !== preferred) logger.info({ port, taken: preferred }, 'preferred metrics port in use, using another')
  lifecycle.opened('metrics', () => new Promise((resolve) => server.close(() => resolve())))
}

interface StartMetricsPage {
  readonly status: number
  readonly type: string
  readonly body: string
}

const pages: Readonly<Record<string, (running: RuntimePorts) => Promise<StartMetricsPage>>> = {
  '/metrics': async ({ metrics }) => ({ status: 200, type: metrics.contentType, body: await metrics.page() }),
  '/health': (running) => healthPage(running, () => true),
  '/livez': (running) => healthPage(running, ({ status }) => status === 'ok'),
  '/readyz': (running) => healthPage(running, ({ consumers }) => !consumers.some(({ restoring }) => restoring)),
}

async function healthPage(
  { metrics: { pulses }, log, clock }: RuntimePorts,
  isWell: (health: Health) => boolean,
): Promise<StartMetricsPage> {
  const found = await health({ pulses, log, clock })
  const { status, consumers } = found
  const shown = consumers.map(({ since, ...consumer }) => ({ ...consumer, since: new Date(since).toISOString() }))
  return {
    status: isWell(found) ? 200 : 503,
    type: 'application/json',
    body: `${JSON.stringify({ status, consumers: shown })}\n`,
  }
}
