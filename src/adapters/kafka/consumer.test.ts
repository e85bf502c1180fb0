import kafkajs, { type Kafka } from 'kafkajs'
import { expect, it, vi } from 'vitest'
import { kafkaConsumer } from './consumer.ts'
import type { Heartbeats } from './heartbeats.ts'

type ConsumerListener = (event: { readonly payload: { readonly error: Error; readonly restart: boolean } }) => void

/** A consumer of kafkajs that only crashes, with what it is given. */
function crashing() {
  const listeners = new Map<string, ConsumerListener>()
  const consumer = {
    events: { GROUP_JOIN: 'join', REBALANCING: 'rebalancing', HEARTBEAT: 'heartbeat', CRASH: 'crash' },
    on: (event: string, listener: ConsumerListener) => void listeners.set(event, listener),
    ...{ connect: vi.fn(async () => undefined), subscribe: async () => undefined },
    ...{ run: vi.fn(async () => undefined), disconnect: vi.fn(async () => undefined) },
  }
  const crash = (error: Error, restart = false) => listeners.get('crash')?.({ payload: { error, restart } })
  const beat = () => listeners.get('heartbeat')?.({ payload: { memberId: 'm', groupGenerationId: 1 } as never })
  return { client: { consumer: () => consumer } as unknown as Kafka, consumer, crash, beat }
}

const membership = (onCrash: (cause: Error) => void) => ({
  ...{ group: 'scored', topics: ['articles.ingested'], minBytes: 1, maxWaitMs: 500, onCrash },
  ...{ sessionTimeoutMs: 2_500, heartbeatMs: 400 },
  heartbeats: { joined: vi.fn(), left: vi.fn() } as unknown as Heartbeats,
})

const member = (client: Kafka, onCrash: (cause: Error) => void) =>
  kafkaConsumer(client, membership(onCrash), async () => undefined)

/** As kafkajs has it: the kind tells, beneath a general error. */
const named = (name: string): Error => Object.assign(new Error(name), { name })
const noCoordinator = () => new Error('crashed', { cause: named('KafkaJSGroupCoordinatorNotFound') })

it('a broker that is back and knows no coordinator yet does not end a member: it runs again', async () => {
  const { client, consumer, crash } = crashing()
  const onCrash = vi.fn()
  await member(client, onCrash)

  crash(noCoordinator())
  await vi.waitFor(() => expect(consumer.run).toHaveBeenCalledTimes(2))
  consumer.connect.mockRejectedValueOnce(noCoordinator())
  crash(noCoordinator())
  await vi.waitFor(() => expect(consumer.run).toHaveBeenCalledTimes(3))

  expect(consumer.connect).toHaveBeenCalledTimes(4)
  expect(onCrash).not.toHaveBeenCalled()
})

it('one that is stopped meanwhile does not run again', async () => {
  const { client, consumer, crash } = crashing()
  const started = await member(client, vi.fn())

  crash(noCoordinator())
  await started.stop()
  await vi.waitFor(() => expect(consumer.disconnect).toHaveBeenCalledTimes(2))

  expect(consumer.run).toHaveBeenCalledTimes(1)
})

it('what no waiting mends ends it, once; what kafkajs restarts by itself does not', async () => {
  const { client, consumer, crash } = crashing()
  const onCrash = vi.fn()
  await member(client, onCrash)

  crash(new Error('a lost connection'), true)
  crash(named('KafkaJSNonRetriableError'))

  expect(onCrash.mock.calls).toEqual([[expect.objectContaining({ message: 'scored has ended' })]])
  expect(consumer.run).toHaveBeenCalledTimes(1)
})

it('a retried batch that ends while the member is between two groups ends nothing else', async () => {
  const noGroup = () => {
    throw new kafkajs.KafkaJSNonRetriableError('Consumer group was not initialized, consumer#run must be called first')
  }
  const { client, consumer, beat } = crashing()
  const [pause, resume] = [vi.fn(noGroup), vi.fn(noGroup)]
  Object.assign(consumer, { pause, resume })
  const onCrash = vi.fn()
  let goOn: () => void = () => undefined
  const handling = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await kafkaConsumer(client, membership(onCrash), async (batch) => {
    batch.giveWay()
    await handling
  })
  const [[{ eachBatch }]] = consumer.run.mock.calls as unknown as [[{ eachBatch: (payload: object) => Promise<void> }]]

  await eachBatch({
    batch: { topic: 'articles.ingested', partition: 0, messages: [], highWatermark: '1', lastOffset: () => '0' },
    heartbeat: () => Promise.resolve(beat()),
    resolveOffset: () => undefined,
  })
  goOn()

  await vi.waitFor(() => expect(resume).toHaveBeenCalled())
  expect(onCrash).not.toHaveBeenCalled()
})
