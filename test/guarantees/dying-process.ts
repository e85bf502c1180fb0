import { lmdbCheckpoints } from '../../src/adapters/lmdb/lmdb-checkpoints.ts'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import type { ChangelogCopy, Snapshots } from '../../src/ports/checkpoints.ts'
import type { TransactionalWriter } from '../../src/ports/log.ts'
import { runMemoryStage } from '../../src/runtime/run-memory-stage.ts'
import type { StateSection } from '../../src/state/sections.ts'
import { forgetfulAs, forgetfulCodec } from '../builders/forgetful.ts'
import { aRunning } from '../builders/running.ts'

/**
 * A process of its own that kills itself between two steps of its writes: before or after a transaction, before or after
 * its local copies are extended, or between two sections of a state that it saves. Arguments: broker, name of the stage,
 * folder of the copies, number of the step at which it dies, `saved` if the stage saves its states.
 */
const [broker = '', name = '', folder = '', dieAt = '', saved = ''] = process.argv.slice(2)

let steps = 0
async function betweenSteps<Result>(work: () => Promise<Result>): Promise<Result> {
  step()
  const result = await work()
  step()
  return result
}

function step(): void {
  if (++steps === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}

const dying = (writer: TransactionalWriter): TransactionalWriter => ({
  write: (records, offsets) => betweenSteps(() => writer.write(records, offsets)),
  close: () => writer.close(),
})

const dyingCopy = (copy: ChangelogCopy): ChangelogCopy => ({
  get offset() {
    return copy.offset
  },
  get origin() {
    return copy.origin
  },
  get: (key) => copy.get(key),
  entries: () => copy.entries(),
  append: (run, origin) => betweenSteps(() => copy.append(run, origin)),
  clear: () => copy.clear(),
  close: () => copy.close(),
})

function* dyingSections(sections: Iterable<StateSection>): Generator<StateSection> {
  for (const section of sections) {
    step()
    yield section
  }
}

const dyingSnapshots = (snapshots: Snapshots): Snapshots => ({
  ...snapshots,
  save: (state, savedUpTo, sections) => betweenSteps(() => snapshots.save(state, savedUpTo, dyingSections(sections))),
})

const kafka = new KafkaLog({ brokers: [broker], clientId: name, session: { sessionTimeoutMs: 1500, heartbeatMs: 300 } })
const log = Object.assign(Object.create(kafka) as typeof kafka, {
  writer: async (id: string) => dying(await kafka.writer(id)),
})
const disk = lmdbCheckpoints(folder)
await runMemoryStage(forgetfulAs(name, saved === 'saved'), {
  ...aRunning({ clock: systemClock, limits: { partRecords: 10, checkpointMs: 20, leastSavedBytes: 1 } }),
  log,
  codec: forgetfulCodec(),
  checkpoints: {
    ...disk,
    open: async (copy) => dyingCopy(await disk.open(copy)),
    snapshots: dyingSnapshots(disk.snapshots),
  },
})
