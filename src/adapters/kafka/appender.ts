import { OffsetTaken, type Appender } from '../../ports/appender.ts'
import { kafkaClient, type KafkaClientOptions } from './client.ts'
import { messageOf, producerOf, WRITTEN } from './producers.ts'
import { topicNames } from './topic-names.ts'

/** Appends records with their own timestamps; the topics must use them (`CreateTime`). */
export async function kafkaAppender(options: KafkaClientOptions): Promise<Appender> {
  const producer = producerOf(kafkaClient(options))
  await producer.connect()
  const names = topicNames(options)
  return {
    append: async (at, records) => {
      const messages = records.map(({ loggedAt, ...record }) =>
        messageOf({ ...record, timestamp: loggedAt }, at.partition),
      )
      const [written] = await producer.send({ topic: names.stored(at.topic), ...WRITTEN, messages })
      if (written?.baseOffset !== String(at.offset)) throw new OffsetTaken(at)
    },
    close: () => producer.disconnect(),
  }
}
