import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'

/**
 * A process of its own that decides without a pause for a while about each batch, as when stories are reclustered,
 * and says on stdout what became of it. Arguments: broker, group, topic, milliseconds.
 */
const [broker = '', group = '', topic = '', ms = ''] = process.argv.slice(2)
const log = new KafkaLog({ brokers: [broker], clientId: 'deciding' })
await log.consume(
  { group, topics: [topic], minBytes: 1, maxWaitMs: 100, onCrash: () => process.exit(1) },
  async (batch) => {
    console.log('deciding')
    for (const until = performance.now() + Number(ms); performance.now() < until;);
    await batch.heartbeat()
    if (batch.isStale()) {
      console.log('thrown out')
      return
    }
    await batch.commit(batch.end)
    console.log('committed')
  },
)
