import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { attempts, evolve, type InstanceHealth, type Probe, UNCHECKED } from './balance.ts'

/** A TCP balancer on the loopback address. It knows nothing of what goes through it. */
export interface Balancer {
  readonly port: number
  readonly url: string
  /** One per instance, in the order of `instances`. */
  health(): readonly InstanceHealth[]
  close(): Promise<void>
}

export interface BalancerOptions {
  readonly port: number
  /** Ports of the instances on the loopback address. */
  readonly instances: readonly number[]
  /** Of each instance, when it is taken out or back. */
  readonly onChange?: (port: number, isReady: boolean) => void
}

const CHECK_EVERY_MS = 250
const CHECK_TIMEOUT_MS = 1_000
const CONNECT_TIMEOUT_MS = 1_000

export async function startBalancer({ port, instances, onChange }: BalancerOptions): Promise<Balancer> {
  const balanced = new Balanced(instances, onChange ?? (() => undefined))
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => void balanced.take(client))
  await listening(server, port)
  const checking = instances.map((_, i) => balanced.keepChecking(i))
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    health: () => balanced.health,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      balanced.end()
      await Promise.all([closed, ...checking])
    },
  }
}

async function listening(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

class Balanced {
  health: readonly InstanceHealth[]
  private readonly instances: readonly number[]
  private readonly onChange: (port: number, isReady: boolean) => void
  private readonly ending = new AbortController()
  private readonly sockets = new Set<Socket>()
  private turn = 0

  constructor(instances: readonly number[], onChange: (port: number, isReady: boolean) => void) {
    this.instances = instances
    this.health = instances.map(() => UNCHECKED)
    this.onChange = onChange
  }

  /** Connects a client to the first instance that accepts. Nothing of the client is read before, so a retry is safe. */
  async take(client: Socket): Promise<void> {
    this.keep(client)
    const order = attempts(this.health, this.turn)
    this.turn += 1
    for (const i of order) {
      const upstream = await this.connected(i)
      if (upstream === null) continue
      if (client.destroyed) upstream.destroy()
      else join(client, upstream)
      return
    }
    client.resetAndDestroy()
  }

  /** Repeats the check of one instance until the balancer ends. */
  async keepChecking(i: number): Promise<void> {
    while (!this.ending.signal.aborted) {
      this.learn(i, await probe(this.instances[i] ?? 0, this.ending.signal))
      await sleep(CHECK_EVERY_MS, null, { signal: this.ending.signal }).catch(() => null)
    }
  }

  end(): void {
    this.ending.abort()
    for (const socket of this.sockets) socket.destroy()
  }

  /** `null` if the instance does not accept; it is taken out then, without waiting for its next check. */
  private async connected(i: number): Promise<Socket | null> {
    const socket = connect({ port: this.instances[i] ?? 0, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    this.keep(socket)
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) })
      return socket
    } catch {
      socket.destroy()
      this.learn(i, 'refused')
      return null
    }
  }

  private learn(i: number, found: Probe): void {
    const before = this.health[i] ?? UNCHECKED
    if (this.ending.signal.aborted) return
    const after = evolve(before, found)
    this.health = this.health.map((one, at) => (at === i ? after : one))
    if (after.isReady !== before.isReady) this.onChange(this.instances[i] ?? 0, after.isReady)
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined) // it closes then, and `join` closes the other side
    socket.on('close', () => this.sockets.delete(socket))
  }
}

/** Each side ends when the other has; one that breaks ends the other at once. */
function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream)
  upstream.pipe(client)
  client.on('close', () => upstream.destroy())
  upstream.on('close', () => client.destroy())
}

async function probe(port: number, ending: AbortSignal): Promise<Probe> {
  const timeout = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.any([timeout, ending]) })
    await response.arrayBuffer()
    return response.status === 200 ? 'ready' : 'refused'
  } catch {
    return timeout.aborted ? 'late' : 'refused'
  }
}
