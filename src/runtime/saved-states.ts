import { checkpointName, canGoOn } from '../state/checkpoint.ts'
import type { StateSection, WrittenSections } from '../state/sections.ts'
import { changelogPartition, type Restorable, type RestoredState, type Restoring, type Unsaved } from './restorable.ts'
import type { RuntimePorts } from './running.ts'

type OnChunk = Pick<Restoring<never>, 'onChunk'>

/**
 * Saves a state to local disk, and returns what is unsaved from then on. The state must not change meanwhile. `onChunk` is
 * called before each section; what it throws ends the work. A failure of the disk only costs time later, so it is logged.
 */
export async function saveState<State, Remembered>(
  stage: Restorable<State, Remembered>,
  known: RestoredState<State> & { readonly partition: number },
  { checkpoints, clock, logger, onChunk }: Pick<RuntimePorts, 'checkpoints' | 'clock' | 'logger'> & OnChunk,
): Promise<Unsaved> {
  const { snapshot } = stage.memory
  const { partition, state, offset, topicId, epoch, at, unsaved } = known
  if (snapshot === undefined || checkpoints === null) return unsaved
  const savedUpTo = { topicId, epoch, at, offset, version: stage.version, format: snapshot.format }
  const began = clock.now()
  const interruptions = new Interruptions(onChunk)
  try {
    const sections = interruptions.beforeEach(snapshot.write(state))
    const name = checkpointName(changelogPartition(stage, partition))
    const saved = await checkpoints.snapshots.save(name, savedUpTo, sections)
    logger.info({ stage: stage.name, partition, bytes: saved, ms: clock.now() - began }, 'the state was saved')
    return { saved, changed: 0, since: at }
  } catch (err) {
    interruptions.rethrow()
    logger.warn({ stage: stage.name, partition, err }, 'the state was not saved')
    return { ...unsaved, changed: 0, since: at } // a full disk is not filled again with each write
  }
}

/** The state that was saved last; `null` if there is none that fits the changelog. One that cannot be read is deleted. */
export async function savedState<State, Remembered>(
  stage: Restorable<State, Remembered>,
  partition: number,
  { log, clock, logger, checkpoints, onChunk }: Omit<Restoring<State>, 'codec' | 'known'>,
): Promise<RestoredState<State> | null> {
  const { snapshot } = stage.memory
  if (snapshot === undefined || checkpoints === null) return null
  const changelog = changelogPartition(stage, partition)
  const interruptions = new Interruptions(onChunk)
  const readable = <Result>(work: () => Promise<Result>): Promise<Result | null> =>
    work().catch(async (err: unknown) => {
      interruptions.rethrow()
      logger.warn({ stage: stage.name, partition, err }, 'the saved state cannot be read and is deleted')
      await checkpoints.snapshots.delete(checkpointName(changelog)).catch(() => undefined)
      return null
    })

  const opened = await readable(() => checkpoints.snapshots.open(checkpointName(changelog)))
  if (opened === null) return null
  try {
    const { savedUpTo, bytes } = opened
    if (savedUpTo.format !== snapshot.format || savedUpTo.version !== stage.version) return null
    const now = await log.incarnation(changelog.topic, partition)
    if (!(await canGoOn(changelog, { now, read: savedUpTo }, { log, clock }))) return null
    const state = await readable(() => snapshot.read(interruptions.beforeNext(opened)))
    return state === null ? null : { ...savedUpTo, state, unsaved: { saved: bytes, changed: 0, since: savedUpTo.at } }
  } finally {
    await opened.close()
  }
}

/** Calls a function before each section, and knows what it threw from a failure of the disk. */
class Interruptions {
  private readonly onChunk: () => void
  private thrown: { readonly cause: unknown } | null = null

  constructor(onChunk: () => void) {
    this.onChunk = onChunk
  }

  *beforeEach(sections: Iterable<StateSection>): Generator<StateSection> {
    for (const section of sections) {
      this.beat()
      yield section
    }
  }

  beforeNext(sections: WrittenSections): WrittenSections {
    return {
      next: async () => {
        this.beat()
        return sections.next()
      },
    }
  }

  /** Throws what the function threw, if it did. */
  rethrow(): void {
    if (this.thrown !== null) throw this.thrown.cause
  }

  private beat(): void {
    try {
      this.onChunk()
    } catch (cause) {
      this.thrown = { cause }
      throw cause
    }
  }
}
