import { Stopped } from './retry.ts'
import { NOTHING_SAVED, type Restorable, type RestoredState, type Unsaved } from './restorable.ts'
import { restoreState } from './restored-state.ts'
import type { RuntimePorts } from './running.ts'
import { saveState } from './saved-states.ts'

/** A take-over waits in steps of this, milliseconds, while the state that it takes is brought up to date. */
const POLL_MS = 50

/** Called with the state so far if its restore ends early. */
type Reached<State> = (state: RestoredState<State>) => void

/**
 * The states of the partitions for which this process is the standby, in memory, as of a few seconds ago, and those of its
 * own partitions before their first record: a take-over reads only what was written since. They count in the budget of the
 * process (`partitionBudget`).
 */
export class WarmStates<State, Remembered> {
  private readonly stage: Restorable<State, Remembered>
  private readonly running: RuntimePorts
  private readonly states = new Map<number, RestoredState<State>>()
  /** Partitions whose state was up to date once. */
  private readonly ready = new Set<number>()
  private advancing: number | null = null
  /** A partition whose state is taken as soon as it can be: it is not saved before. */
  private requested: number | null = null

  constructor(stage: Restorable<State, Remembered>, running: RuntimePorts) {
    this.stage = stage
    this.running = running
  }

  partitions(): readonly number[] {
    return [...this.states.keys()]
  }

  /** Whether a state was up to date once. */
  isReady(partition: number): boolean {
    return this.ready.has(partition)
  }

  unsaved(partition: number): Unsaved {
    return this.states.get(partition)?.unsaved ?? NOTHING_SAVED
  }

  /**
   * Restores a state, or brings it up to date. If that fails, the next call begins where this one ended: records that were
   * applied already may be applied again, which changes nothing.
   */
  async advance(partition: number, isStopping: () => boolean): Promise<void> {
    await this.replace(partition, (known, onEndedEarly) =>
      this.upToDate({ partition, known }, { isStopping, onEndedEarly }),
    )
  }

  /** Saves a state to local disk. */
  async save(partition: number): Promise<void> {
    const onChunk = (): void => {
      if (this.requested === partition) throw new Stopped()
    }
    await this.replace(partition, async (known) => {
      if (known === null) return null
      return { ...known, unsaved: await saveState(this.stage, { ...known, partition }, { ...this.running, onChunk }) }
    })
  }

  /** During the work nobody else has the state. */
  private async replace(
    partition: number,
    work: (known: RestoredState<State> | null, reached: Reached<State>) => Promise<RestoredState<State> | null>,
  ): Promise<void> {
    let known = this.states.get(partition) ?? null
    this.states.delete(partition)
    this.advancing = partition
    try {
      const state = await work(known, (reached) => void (known = reached))
      this.set(partition, state)
    } catch (cause) {
      this.set(partition, known)
      throw cause
    } finally {
      this.advancing = null
    }
  }

  /** Keeps a state, for example one that was taken, if the take-over failed. */
  set(partition: number, state: RestoredState<State> | null): void {
    if (state !== null) this.states.set(partition, state)
  }

  private async upToDate(
    { partition, known }: { readonly partition: number; readonly known: RestoredState<State> | null },
    { isStopping, onEndedEarly }: { readonly isStopping: () => boolean; readonly onEndedEarly: Reached<State> },
  ): Promise<RestoredState<State>> {
    const { log, clock, logger } = this.running
    const at = clock.now()
    const [offset, end] = [known?.offset, (await log.ends(this.stage.memory.changelog.name))[partition]]
    if (known !== null && offset === end) return { ...known, at }
    const onChunk = (): void => {
      if (isStopping()) throw new Stopped()
    }
    const state = await restoreState(this.stage, partition, { ...this.running, known, onChunk, onEndedEarly })
    if (!this.ready.has(partition)) logger.info({ stage: this.stage.name, partition }, STANDBY_READY)
    this.ready.add(partition)
    return state
  }

  /** Discards the states of all other partitions. */
  keep(partitions: ReadonlySet<number>): void {
    for (const partition of this.states.keys()) if (!partitions.has(partition)) this.remove(partition)
  }

  /** Removes and returns a state; `null` if there is none. `onWait` is called while it is brought up to date. */
  async take(partition: number, onWait: () => void): Promise<RestoredState<State> | null> {
    try {
      while (this.isAdvancing(partition)) {
        this.requested = partition
        onWait()
        await this.running.clock.sleep(POLL_MS)
      }
    } finally {
      if (this.requested === partition) this.requested = null
    }
    const state = this.states.get(partition) ?? null
    this.remove(partition)
    return state
  }

  private remove(partition: number): void {
    this.states.delete(partition)
    this.ready.delete(partition)
  }

  private isAdvancing(partition: number): boolean {
    return this.advancing === partition
  }
}

/** Logged once a standby can take a partition over. */
export const STANDBY_READY = 'the state of a standby partition is in memory'
