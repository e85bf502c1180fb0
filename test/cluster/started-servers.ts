import type { Engine } from '../../src/engines/engine.ts'
import { supervise, type Supervised } from '../../src/engines/supervise.ts'
import { startProxy, type Matters, type Proxy } from '../chaos/proxy.ts'

export interface StartedServersOptions {
  readonly onProgress: (line: string) => void
  /** Ends a start that is not finished. */
  readonly signal: AbortSignal
}

/** What was started, in order, so that it is ended in the opposite order. */
export class StartedServers {
  /** By name: `kafka-1`, `registry`, `clickhouse-a`, `deciding-2`. */
  readonly running = new Map<string, Supervised>()
  /** In front of brokers and stores, by their names, and between brokers, in a cluster that is started with proxies. */
  readonly proxies = new Map<string, Proxy>()
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
  private readonly ends: (() => Promise<void>)[] = []
  private readonly engines = new Map<string, Engine>()

  constructor({ onProgress, signal }: StartedServersOptions) {
    this.onProgress = onProgress
    this.signal = signal
  }

  onEnd(end: () => Promise<void>): void {
    this.ends.push(end)
  }

  /**
   * Starts several, so many at once; each is started again whenever it ends. All of them are ended at once, also those
   * of a start that failed.
   */
  async all(engines: readonly Engine[], atOnce: number = engines.length): Promise<void> {
    const starting: Promise<Supervised>[] = []
    this.onEnd(async () => {
      const settled = await Promise.allSettled(starting)
      await Promise.all(settled.map(async (one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)))
    })
    for (const some of inWaves(engines, atOnce)) {
      this.signal.throwIfAborted()
      const wave = some.map((engine) => this.start(engine))
      starting.push(...wave)
      await Promise.all(wave)
    }
    this.signal.throwIfAborted()
  }

  /** Starts a proxy in front of a server. */
  async proxy(
    name: string,
    ports: { readonly port: number; readonly target: number },
    matters: Matters,
  ): Promise<void> {
    const proxy = await startProxy(ports, matters)
    this.proxies.set(name, proxy)
    this.onEnd(() => proxy.close())
  }

  /** Ends a server until it is started again. */
  async stop(name: string): Promise<void> {
    await this.running.get(name)?.stop()
    this.running.delete(name)
  }

  async startAgain(name: string): Promise<void> {
    const engine = this.engines.get(name)
    if (engine === undefined) throw new Error(`there is no ${name}`)
    await this.all([engine])
  }

  async end(): Promise<void> {
    for (const end of this.ends.splice(0).reverse()) await end()
  }

  private async start(engine: Engine): Promise<Supervised> {
    this.engines.set(engine.name, engine)
    const supervised = await supervise(engine, this.onProgress)
    this.running.set(engine.name, supervised)
    return supervised
  }
}

const inWaves = (engines: readonly Engine[], atOnce: number): readonly (readonly Engine[])[] =>
  engines.length === 0 ? [] : [engines.slice(0, atOnce), ...inWaves(engines.slice(atOnce), atOnce)]
