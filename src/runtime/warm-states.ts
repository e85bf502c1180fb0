import { Stopped } from './retry.ts'
import { restoreState, type Restorable, type RestoredState } from './restored-state.ts'
import type { RuntimePorts } from './running.ts'

/** A take-over waits in steps of this, milliseconds, while the state that it takes is brought up to date. */
const POLL_MS = 50

/**
 * The states of the partitions for which this process is the standby, in memory, as of a few seconds ago: a take-over
 * reads only what was written since. They count in the budget of the process (`partitionBudget`).
 */
export class WarmStates<State, Remembered> {
  private readonly stage: Restorable<State, Remembered>
  private readonly running: Pick<RuntimePorts, 'log' | 'codec' | 'checkpoints' | 'clock' | 'logger'>
  private readonly states = new Map<number, RestoredState<State>>()
  private advancing: number | null = null

  constructor(stage: Restorable<State, Remembered>, running: RuntimePorts) {
    this.stage = stage
    this.running = running
  }

  partitions(): readonly number[] {
    return [...this.states.keys()]
  }

  /**
   * Restores a state, or brings it up to date. If that fails, the state stays as of the offset before: records that were
   * applied already are applied again, which changes nothing.
   */
  async advance(partition: number, isStopping: () => boolean): Promise<void> {
    const known = this.states.get(partition) ?? null
    // from here on nobody else has it: it is changed
    this.states.delete(partition)
    this.advancing = partition
    try {
      this.set(partition, await this.upToDate(partition, known, isStopping))
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
    partition: number,
    known: RestoredState<State> | null,
    isStopping: () => boolean,
  ): Promise<RestoredState<State>> {
    const { log, codec, checkpoints, logger } = this.running
    if (known !== null && (await log.ends(this.stage.memory.changelog.name))[partition] === known.offset) return known
    const onChunk = (): void => {
      if (isStopping()) throw new Stopped()
    }
    const state = await restoreState(this.stage, partition, { log, codec, checkpoints, known, onChunk })
    if (known === null) logger.info({ stage: this.stage.name, partition }, STANDBY_READY)
    return state
  }

  /** Discards the states of all other partitions. */
  keep(partitions: ReadonlySet<number>): void {
    for (const partition of this.states.keys()) if (!partitions.has(partition)) this.states.delete(partition)
  }

  /** Removes and returns a state; `null` if there is none. `onWait` is called while it is brought up to date. */
  async take(partition: number, onWait: () => void): Promise<RestoredState<State> | null> {
    while (this.isAdvancing(partition)) {
      onWait()
      await this.running.clock.sleep(POLL_MS)
    }
    const state = this.states.get(partition) ?? null
    this.states.delete(partition)
    return state
  }

  private isAdvancing(partition: number): boolean {
    return this.advancing === partition
  }
}

/** Logged once a standby can take a partition over. */
export const STANDBY_READY = 'the state of a standby partition is in memory'
