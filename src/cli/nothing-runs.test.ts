import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { anyFreePort } from '../engines/free-port.ts'
import { nothingRuns, untilBrokerListens } from './nothing-runs.ts'

const refused = new Error('the log did not say its offsets', { cause: new Error('Connection error: ECONNREFUSED') })

it('a command that finds nobody at the broker’s address says so in one line', async () => {
  const broker = `127.0.0.1:${await anyFreePort()}`

  expect(await nothingRuns({ kafka: { brokers: [broker] } }, refused)).toMatchObject({
    message: `Kafka is not running at ${broker}. Start it with \`story up\``,
  })
  expect(await nothingRuns({ kafka: { brokers: [broker] } }, new Error('no key key_a'))).toBeNull()
  expect(await nothingRuns({ kafka: { brokers: ['kafka.example:9092'] } }, refused)).toBeNull()
})

it('keeps the error where somebody listens', async () => {
  const port = await anyFreePort()
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')

  expect(await nothingRuns({ kafka: { brokers: [`127.0.0.1:${port}`] } }, refused)).toBeNull()
  server.close()
})

it('waits for a broker on this machine that is being restarted, half a second where it may take no longer', async () => {
  const port = await anyFreePort()
  const kafka = { brokers: [`127.0.0.1:${port}`] }
  const begun = performance.now()
  await expect(untilBrokerListens({ kafka }, 500)).rejects.toThrow(`Kafka is not running at 127.0.0.1:${port}`)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(500)

  const waiting = untilBrokerListens({ kafka: { brokers: [`127.0.0.1:${await anyFreePort()}`, ...kafka.brokers] } })
  const server = createServer().listen(port, '127.0.0.1')
  await waiting
  server.close()

  await untilBrokerListens({ kafka: { brokers: ['kafka.example:9092'] } }, 0) // not local: does not wait
})
