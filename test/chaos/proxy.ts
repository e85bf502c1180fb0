import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What goes wrong on the way: `away` (nobody answers), `slow` (each piece comes late), `silent` (bytes are swallowed, as when
 * a cable is pulled), `silent to` and `silent from` (the same in one direction, seen from the client), `reset` (every
 * connection at once) and `reply lost`: the request arrives and is carried out, the connection ends with its answer. The
 * last is the one that finds mistakes.
 */
export const TROUBLES = ['away', 'slow', 'silent', 'silent to', 'silent from', 'reset', 'reply lost'] as const
export type ProxyTrouble = (typeof TROUBLES)[number]

const SLOW_MS = 150
/** So many answers are lost in one trouble. */
const LOST_AT_ONCE = 3

/** Whether this piece of a request asks for something whose outcome one must know. */
export type Matters = (request: Buffer) => boolean

/** Produce, commit of offsets, and everything of transactions, by the number that each request begins with. */
const KAFKA_WRITES = new Set([0, 8, 22, 24, 25, 26, 28])
export const kafkaWrites: Matters = (request) => request.length >= 6 && KAFKA_WRITES.has(request.readInt16BE(4))
export const inserts: Matters = (request) => request.includes('INSERT')

/** A TCP proxy on the loopback address in which things go wrong when told to; it knows nothing of what goes through it. */
export interface Proxy {
  readonly port: number
  /** Lasts for so long (a reset is over at once), then all is well again. */
  trouble(kind: ProxyTrouble, forMs: number): Promise<void>
  close(): Promise<void>
}

export async function startProxy(ports: { port: number; target: number }, matters: Matters): Promise<Proxy> {
  const { port, target } = ports
  const proxied = new Proxied(target, matters)
  const server = createServer({ allowHalfOpen: true }, (client) => proxied.take(client))
  await listening(server, port)
  return {
    port,
    trouble: (kind, forMs) => proxied.trouble(kind, forMs),
    close: async () => {
      proxied.endAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

/** One connection on its way through. */
interface Through {
  readonly client: Socket
  readonly upstream: Socket
  /** A request is out, and its answer is to be lost. */
  loses: boolean
}

/** One direction of a connection. */
interface ProxiedSide {
  readonly from: Socket
  readonly to: Socket
  /** Seen from the client. */
  readonly direction: 'to' | 'from'
}

class Proxied {
  private readonly target: number
  private readonly matters: Matters
  private toLose = 0
  private readonly throughs = new Set<Through>()
  private current: ProxyTrouble | null = null

  constructor(target: number, matters: Matters) {
    this.target = target
    this.matters = matters
  }

  take(client: Socket): void {
    client.on('error', () => undefined)
    if (this.current === 'away') {
      client.resetAndDestroy()
      return
    }
    const upstream = connect({ port: this.target, host: '127.0.0.1', noDelay: true })
    client.setNoDelay(true)
    const through: Through = { client, upstream, loses: false }
    this.throughs.add(through)
    const over = (): void => this.end(through)
    upstream.on('error', over)
    client.on('close', over)
    upstream.on('close', over)
    client.on('end', () => upstream.end())
    upstream.on('end', () => client.end())
    client.on('data', (bytes: Buffer) => {
      this.mark(through, bytes)
      void this.pass({ from: client, to: upstream, direction: 'to' }, bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (through.loses) this.end(through)
      else void this.pass({ from: upstream, to: client, direction: 'from' }, bytes)
    })
  }

  async trouble(kind: ProxyTrouble, forMs: number): Promise<void> {
    if (kind === 'reset') {
      this.endAll()
      return
    }
    if (kind === 'reply lost') this.toLose = LOST_AT_ONCE
    this.current = kind
    if (kind === 'away') this.endAll()
    await sleep(forMs)
    this.current = null
    this.toLose = 0
    // what was swallowed is missing in the middle of a stream: nothing sensible can follow
    if (kind.startsWith('silent')) this.endAll()
  }

  endAll(): void {
    for (const through of this.throughs) this.end(through)
  }

  private mark(through: Through, request: Buffer): void {
    if (this.toLose === 0 || !this.matters(request)) return
    this.toLose -= 1
    through.loses = true
  }

  private async pass({ from, to, direction }: ProxiedSide, bytes: Buffer): Promise<void> {
    if (this.current === 'silent' || this.current === `silent ${direction}`) return
    if (this.current === 'slow') {
      from.pause() // keeps the pieces in order
      await sleep(SLOW_MS)
      from.resume()
    }
    if (to.destroyed || to.write(bytes)) return
    from.pause()
    to.once('drain', () => from.resume())
  }

  private end(through: Through): void {
    if (!this.throughs.delete(through)) return
    through.client.resetAndDestroy()
    through.upstream.destroy()
  }
}
