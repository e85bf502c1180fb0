import { expect, it } from 'vitest'
import { logContract } from '../../test/contracts/log.ts'
import { MemoryLog } from './memory-log.ts'

/** Topics of different widths live in logs of their own; the contract sees one log. */
logContract('memory', async () => {
  const log = new MemoryLog({ partitions: (topic) => Number(topic.split('-')[1]) })
  let turn = 0
  return {
    log,
    topic: async (partitions) => `topic-${partitions}-${++turn}`,
    close: async () => {
      await log.close()
    },
  }
})

it('compacts to the newest record of each key and leaves the offsets as they were', async () => {
  const log = new MemoryLog()
  await log.produce(['a', 'b', 'a'].map((key) => ({ topic: 't', key, value: null })))

  log.compact('t')

  expect(log.records('t').map(({ key, offset }) => `${key ?? ''} ${offset}`)).toEqual(['b 1', 'a 2'])
})
