import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { lmdbCheckpoints } from '../../src/adapters/lmdb/lmdb-checkpoints.ts'
import { clusteringModel } from '../../src/adapters/model-files.ts'
import { systemClock } from '../../src/adapters/clock.ts'
import { runMemoryStage } from '../../src/runtime/run-memory-stage.ts'
import { clustered } from '../../src/stages/clustered/stage.ts'
import { codec } from '../builders/plain-log.ts'
import { aRunning } from '../builders/running.ts'

/** The clusterer in a process of its own, until SIGTERM. Arguments: broker, folder of the local copies, budget. */
const [broker = '', folder = '', budget = ''] = process.argv.slice(2)
const log = new KafkaLog({ brokers: [broker], clientId: 'clustered' })
const stage = clustered({ ...clusteringModel(), budget: Number(budget), texts: Number(budget) })
const running = { ...aRunning({ clock: systemClock }), log, codec, checkpoints: lmdbCheckpoints(folder) }
const consumer = await runMemoryStage(stage, { ...running, onCrash: () => process.exit(1) })
process.once('SIGTERM', () => {
  void consumer
    .stop()
    .then(() => log.close())
    .then(() => process.exit(0))
})
