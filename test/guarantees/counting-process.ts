import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { runMemoryStage } from '../../src/runtime/run-memory-stage.ts'
import { aRunning, countedAs } from '../builders/running.ts'

/**
 * A process of its own for a test to kill: counts words until it ends. Arguments: broker, name of the stage,
 * `dies` if it kills itself at its first decision, as one without enough memory does.
 */
const [broker = '', name = '', how = ''] = process.argv.slice(2)
const log = new KafkaLog({ brokers: [broker], clientId: name, session: { sessionTimeoutMs: 1500, heartbeatMs: 300 } })
const stage = countedAs(name)
const decide: typeof stage.decide = (state, input) => {
  if (how === 'dies') process.kill(process.pid, 'SIGKILL')
  return stage.decide(state, input)
}
await runMemoryStage({ ...stage, decide }, { ...aRunning({ clock: systemClock, limits: { partRecords: 20 } }), log })
