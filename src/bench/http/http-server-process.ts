import { once } from 'node:events'
import { createServer } from 'node:http'
import { systemClock } from '../../adapters/clock.ts'
import { jsonLogger } from '../../adapters/logger.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { nothingBehind } from '../../api/described-routes.ts'
import { createKey, publishKey } from '../../operations/keys/create-key.ts'
import { followKeys } from '../../api/http/keys/keyring.ts'
import { serveApi } from '../../api/app.ts'
import type { Order, ServerMessage } from './messages.ts'
import { servedStories } from './served-stories.ts'

/** One server of `story bench http`: the whole API over rows that are there at once, or bare `node:http`. */
const send = (message: ServerMessage): void => void process.send?.(message)

/** More than any bench asks: what it costs to count is measured, not what it costs to refuse. */
const REQUESTS_PER_MINUTE = 1_000_000_000
const CACHE_BYTES = 64 * 1024 * 1024

async function serve(): Promise<ServerMessage> {
  const ports = { log: new MemoryLog(), codec: new PlainCodec(), clock: systemClock, logger: jsonLogger('info') }
  const made = createKey(
    { tier: 'enterprise', privateNamespace: null, curator: false, name: 'bench', expires_at: null },
    ports.clock.now(),
  )
  await publishKey(made.event, ports)
  const { url } = await serveApi(
    {
      ...nothingBehind('0.0.0'),
      ...ports,
      keys: followKeys(ports),
      store: servedStories,
      limits: { starter: 1, professional: 1, enterprise: REQUESTS_PER_MINUTE },
      cacheBytes: CACHE_BYTES,
    },
    { host: '127.0.0.1', port: 0 },
  )
  return { kind: 'serving', port: Number(new URL(url).port), key: made.key }
}

async function serveBare(headers: Readonly<Record<string, string>>, body: string): Promise<ServerMessage> {
  const bytes = Buffer.from(body)
  const server = createServer((_, response) => {
    response.writeHead(200, headers)
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return { kind: 'serving', port: address.port, key: '' }
}

async function obey(order: Order): Promise<ServerMessage> {
  switch (order.kind) {
    case 'serve':
      return serve()
    case 'serve bare':
      return serveBare(order.headers, order.body)
    case 'usage': {
      const { user, system } = process.cpuUsage()
      return { kind: 'usage', us: user + system }
    }
  }
}

process.on('message', (order) => void obey(order as Order).then(send))
process.on('disconnect', () => process.exit())
