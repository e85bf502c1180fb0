import kafkajs, { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type TopicAdmin, topicAdmin } from '../../src/adapters/kafka/admin.ts'
import { registerSchemas } from '../../src/adapters/registry/register.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { readSchemas } from '../../src/config/schemas.ts'
import { planTopics, readTopicFiles, type TopicSpec, topicSpecs } from '../../src/config/topics.ts'

// Node finds only some names of this CommonJS package
const { CompressionTypes } = kafkajs
const { brokers, registryUrl } = inject('engines')

const aTopic = (name: string, over: Partial<TopicSpec> = {}): TopicSpec => ({
  name,
  partitions: 1,
  config: { 'retention.ms': '-1', 'message.timestamp.type': 'LogAppendTime', 'max.message.bytes': '8388608' },
  ...over,
})

describe('topics on a real broker', () => {
  let admin: TopicAdmin
  beforeAll(async () => {
    admin = await topicAdmin({ brokers })
  })
  afterAll(async () => {
    await admin.close()
  })
  const applied = async (...specs: readonly TopicSpec[]): Promise<void> =>
    admin.apply(planTopics(specs, await admin.existing()))

  it('are created as their files specify; a second plan is empty', async () => {
    const specs = topicSpecs(readTopicFiles(projectPath('topics')), 'one').map((topic) => ({
      ...topic,
      name: `plan.${topic.name}`,
    }))

    await applied(...specs)

    expect(planTopics(specs, await admin.existing())).toEqual([])
  })

  it("keep an operator's own settings when ours are corrected, although the broker would replace all", async () => {
    await applied(aTopic('plan.changed', { config: { 'retention.ms': '1000', 'segment.bytes': '1048576' } }))

    await applied(aTopic('plan.changed'))

    const found = (await admin.existing()).find(({ name }) => name === 'plan.changed')
    expect(found?.config).toEqual({ ...aTopic('').config, 'segment.bytes': '1048576' })
  })

  it('keep their number of partitions: another number is rejected before any change', async () => {
    await applied(aTopic('plan.narrow'))

    await expect(applied(aTopic('plan.narrow', { partitions: 3 }), aTopic('plan.never'))).rejects.toThrow(/plan.narrow/)

    expect((await admin.existing()).some(({ name }) => name === 'plan.never')).toBe(false)
  })
})

it('a topic stores compressed batches uncompressed, so its size limit applies to them', async () => {
  const admin = await topicAdmin({ brokers })
  const config = { 'compression.type': 'uncompressed', 'max.message.bytes': '100000' }
  await admin.apply([{ kind: 'create', topic: aTopic('plan.packed', { config }) }])
  await admin.close()
  const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer()
  await producer.connect()
  const packed = (bytes: number) =>
    producer.send({
      topic: 'plan.packed',
      compression: CompressionTypes.GZIP,
      messages: [{ value: Buffer.alloc(bytes) }],
    })

  await expect(packed(90_000)).resolves.toMatchObject([{ errorCode: 0 }])
  await expect(packed(200_000)).rejects.toMatchObject({ type: 'MESSAGE_TOO_LARGE' })

  await producer.disconnect()
})

describe('schemas in a real registry', () => {
  const ours = readSchemas(projectPath('schemas'))
  const written = { url: registryUrl, isUnwritten: () => Promise.resolve(false) }
  const version = (topic: string, name: string) => ({
    topic,
    history: [],
    text: JSON.stringify({ type: 'record', name: 'Broken', fields: [{ name, type: 'string' }] }),
  })

  it('are registered once; the second time they keep their ids', async () => {
    const first = await registerSchemas(written, ours)
    const second = await registerSchemas(written, ours)

    expect(second).toEqual(first)
    expect(first.map(({ subject }) => subject)).toContain('articles.ingested-value')
  })

  it('are rejected if an older reader could not read them', async () => {
    await registerSchemas(written, [version('contract.broken', 'a')])

    await expect(registerSchemas(written, [version('contract.broken', 'b')])).rejects.toThrow('contract.broken')
  })

  it('may be replaced while no record was written with them', async () => {
    const unwritten = { url: registryUrl, isUnwritten: () => Promise.resolve(true) }
    await registerSchemas(unwritten, [version('contract.announced', 'a')])

    const [now] = await registerSchemas(unwritten, [version('contract.announced', 'b')])

    expect(await registerSchemas(written, [version('contract.announced', 'b')])).toEqual([now])
    await expect(registerSchemas(written, [version('contract.announced', 'a')])).rejects.toThrow('contract.announced')
  })
})
