import { sha256 } from '../../src/events/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Batch, Codec, Consumer, Log, LogRecord, OutRecord, Subscription } from '../../src/ports/log.ts'
import type { TransactionalWriter } from '../../src/ports/log.ts'
import { StoreUnavailable, type Row, type Store } from '../../src/ports/store.ts'
import { SimulationMember } from './member.ts'
import { Actor } from './scheduler.ts'
import type { Simulation } from './simulation.ts'
import type { FaultsAway } from './faults.ts'

/** How a port is called: what it says in the trace, what it needs, what it does. */
export interface ProcessCall<Result> {
  readonly label: string
  readonly needs: readonly FaultsAway[]
  readonly does: () => Result
  /** It may come about after the caller was told that it has failed. */
  readonly mayComeLate?: true
}

/** How long the copying of changelogs sleeps; no other sleep takes as long. */
export const CHECKPOINT_MS = 86_400_000

/** Whether somebody who died had something in hand, for whom to blame. */
export interface ProcessInHand {
  readonly group: string
  readonly batch: Batch
}

/** One process from its start to its end: ports of its own over the one world. */
export class Process {
  readonly actor: Actor
  readonly name: string
  readonly consumers: Consumer[] = []
  readonly members: SimulationMember[] = []
  /** The log is out of its reach before that. */
  cutOffUntil = 0
  /** When the log last heard of it. */
  heardAt: number
  readonly clock: Clock
  readonly codec: Codec
  readonly log: Log
  readonly store: Store
  readonly world: Simulation

  constructor(world: Simulation, name: string) {
    this.world = world
    this.name = name
    this.actor = new Actor(name)
    this.heardAt = world.scheduler.now
    this.clock = {
      now: () => world.scheduler.now,
      sleep: async (ms, signal) => {
        await this.sleep(ms, signal)
      },
    }
    this.codec = this.makeCodec()
    this.log = this.makeLog()
    this.store = this.makeStore()
  }

  get isCutOff(): boolean {
    return this.cutOffUntil > this.world.scheduler.now
  }

  async call<Result>({ label, needs, does, mayComeLate }: ProcessCall<Result>): Promise<Result> {
    const { scheduler, faults, random } = this.world
    await scheduler.step(this.actor, label)
    if (this.isCutOff) throw new Error('the log does not answer')
    for (const away of needs) if (faults.isAway(away, scheduler.now)) throw new Error(away)
    this.heardAt = scheduler.now
    const fault = faults.ofCall()
    if (fault === 'request lost') throw new Error(`${label}: the request was lost`)
    if (fault === 'effect late' && mayComeLate === true) {
      const go = (): void => {
        try {
          does()
        } catch {
          scheduler.note(`${label} came too late`) // fenced, or not ours any more: nobody is there to be told
        }
      }
      scheduler.after(random.between(1, 60), { actor: this.world.network, label: `late ${label}`, go })
      throw new Error(`${label}: timed out`)
    }
    const result = does()
    if (fault === 'reply lost') throw new Error(`${label}: the reply was lost`)
    if (fault === 'reply late') await scheduler.step(this.actor, `reply to ${label}`)
    return result
  }

  private async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const { scheduler, random } = this.world
    if (ms <= 0 || signal?.aborted === true) return
    if (ms === CHECKPOINT_MS) {
      await this.sleepInBackground(signal)
      return
    }
    await new Promise<void>((resolve) => {
      const late = random.chance(0.1) ? random.between(1, 20) : 0
      const wake = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const takeBack = scheduler.after(ms + late, { actor: this.actor, label: 'wakes', go: wake })
      const abort = (): void => {
        takeBack()
        resolve()
      }
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Periodic work that never ends: it is woken now and then while anything else happens, so that a world can rest. */
  private async sleepInBackground(signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.world.background.delete(one)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const one = { actor: this.actor, label: 'wakes', go: wake }
      this.world.background.add(one)
      signal?.addEventListener('abort', wake, { once: true })
    })
  }

  private makeCodec(): Codec {
    const { codec, faults, scheduler } = this.world
    const there = (): void => {
      if (faults.isAway('registry away', scheduler.now)) throw new Error('registry away')
    }
    return {
      encode: async (topic, event) => {
        there()
        return codec.encode(topic, event)
      },
      decode: async (topic, value) => {
        there()
        return codec.decode(topic, value)
      },
    }
  }

  private makeLog(): Log {
    const { broker } = this.world
    const disk = ['disk full'] as const
    return {
      produce: async (records) => {
        if (records.length === 0) return 0
        return this.call({
          label: `produce ${records[0]?.topic ?? ''}`,
          needs: disk,
          does: () => broker.produce(records),
          mayComeLate: true,
        })
      },
      consume: async (subscription, handle) => this.consume(subscription, handle),
      writer: async (id) => {
        const epoch = await this.call({ label: `writer ${id}`, needs: [], does: () => broker.openWriter(id) })
        return this.makeWriter(id, epoch)
      },
      read: (topic, partition, from) => this.read(topic, { partition, from }),
      starts: async (topic) => broker.partitions(topic).map(() => 0),
      since: async (topic, time) =>
        broker.partitions(topic).map(({ records, end }) => records.find((one) => one.loggedAt >= time)?.offset ?? end),
      forget: async (group) => {
        await this.call({ label: `forget ${group}`, needs: [], does: () => broker.forget(group) })
      },
      ends: (topic) =>
        this.call({
          label: `ends ${topic}`,
          needs: [],
          does: () => broker.partitions(topic).map(({ end }) => end),
        }),
      committed: (group, topic) =>
        this.call({
          label: `committed ${group} ${topic}`,
          needs: [],
          does: () => broker.partitions(topic).map((_, p) => broker.committed(group, topic, p)?.offset ?? null),
        }),
      partitionOf: (key, partitions) => sha256(key).readUInt32BE(0) % partitions,
      incarnation: (topic) =>
        this.call({ label: `incarnation ${topic}`, needs: [], does: () => ({ topicId: topic, epoch: 0 }) }),
      epochEnd: (topic, partition) =>
        this.call({ label: `epoch end ${topic}`, needs: [], does: () => broker.partition(topic, partition).end }),
      notes: (group, topic) =>
        this.call({
          label: `notes ${group} ${topic}`,
          needs: [],
          does: () => broker.partitions(topic).map((_, p) => broker.committed(group, topic, p)?.note ?? null),
        }),
      close: async () => undefined,
    }
  }

  private consume(subscription: Subscription, handle: (batch: Batch) => Promise<void>): Consumer {
    const member = new SimulationMember(this, subscription, handle)
    this.members.push(member)
    member.start()
    return member
  }

  /** As the adapter's: any error ends it. */
  private makeWriter(id: string, epoch: number): TransactionalWriter {
    const { broker } = this.world
    let ended = false
    return {
      write: async (records, read) => {
        if (ended) throw new Error(`${id} has ended`)
        const does = (): void => {
          if (broker.isFenced(id, epoch)) throw new Error(`${id} was fenced`)
          broker.transact(records, read)
        }
        try {
          await this.call({ label: `write ${id}`, needs: ['disk full'], does, mayComeLate: true })
        } catch (cause) {
          ended = true
          throw cause
        }
      },
      close: async () => {
        ended = true
      },
    }
  }

  /** To the end as it is when the first chunk is asked for. */
  private async *read(
    topic: string,
    { partition, from }: { readonly partition: number; readonly from: number },
  ): AsyncIterable<readonly LogRecord[]> {
    const { broker, random } = this.world
    let end = Infinity
    for (let next = from; next < end;) {
      const chunk = await this.call({
        label: `read ${topic}`,
        needs: [],
        does: () => {
          const all = broker.partition(topic, partition)
          end = Math.min(end, all.end)
          const most = random.between(1, 40)
          return all.records.filter(({ offset }) => offset >= next && offset < end).slice(0, most)
        },
      })
      const last = chunk.at(-1)
      if (last === undefined) return
      next = last.offset + 1
      yield chunk
    }
  }

  private makeStore(): Store {
    const { faults, scheduler } = this.world
    return {
      insert: async (table, rows) => {
        try {
          await this.call({
            label: `insert ${table}`,
            needs: ['store away'],
            does: () => {
              this.world.tables.insert(table, rows)
            },
            mayComeLate: true,
          })
        } catch (cause) {
          throw new StoreUnavailable('the store did not answer', { cause })
        }
      },
      query: () => Promise.reject(new Error('a simulation asks nothing of the store')),
      command: () => Promise.reject(new Error('a simulation commands nothing')),
      ping: async () => !faults.isAway('store away', scheduler.now),
      close: async () => undefined,
    }
  }
}

export type { OutRecord, Row }
