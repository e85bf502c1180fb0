import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { runMemoryStage } from '../../src/runtime/run-memory-stage.ts'
import { aRunning, countedAs } from '../builders/running.ts'

/** A stage with memory in a process of its own, with the sessions of the service. Arguments: broker, name of the stage. */
const [broker = '', name = ''] = process.argv.slice(2)
const log = new KafkaLog({ brokers: [broker], clientId: name })
await runMemoryStage(countedAs(name), { ...aRunning({ clock: systemClock }), log })
