import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject, it, vi } from 'vitest'
import { KafkaLog } from '../../src/adapters/kafka/kafka-log.ts'
import { forgetfulAs, forgetfulCodec, rowsOf } from '../builders/forgetful.ts'
import { say } from '../builders/running.ts'
import { createTopics } from './own-kafka.ts'

const WORDS = 1_500
/** A run writes a transaction for every ten words and extends two copies: all kinds of steps are among the first ones. */
const DIES_AT = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 21]

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
})

it.each(['copied', 'saved'])(
  'a process killed between any two steps of a commit and a checkpoint counts every word once, its state being %s',
  async (kind) => {
    const { brokers } = inject('engines')
    const folder = await mkdtemp(join(tmpdir(), 'story-killed-'))
    const name = `stepped-${kind}-${Date.now()}`
    const stage = forgetfulAs(name)
    const source = { ...stage.writes, name: `${name}.said` }
    await createTopics(brokers, [source.name, stage.writes.name, stage.memory.changelog.name, rowsOf(name).name])
    const log = new KafkaLog({ brokers, clientId: 'killer' })
    const said = Array.from({ length: WORDS }, (_, i) => `w${(i * 7) % 13}`)
    await say(log, said, source)
    const start = (dieAt: number): ChildProcess => {
      const script = fileURLToPath(new URL('dying-process.ts', import.meta.url))
      const words = [brokers[0] ?? '', name, folder, `${dieAt}`, kind]
      const child = spawn(process.execPath, ['--import', 'tsx', script, ...words], { stdio: 'inherit' })
      started.push(child)
      return child
    }

    for (const dieAt of DIES_AT) expect(await once(start(dieAt), 'exit')).toEqual([null, 'SIGKILL'])
    const last = start(Infinity)
    await vi.waitFor(async () => expect(await log.committed(name, source.name)).toEqual([WORDS]), {
      timeout: 60_000,
      interval: 100,
    })
    last.kill('SIGKILL')
    await once(last, 'exit')

    const counts = new Map<string, number>()
    const fold = said.map((word) => `${word} ${counts.set(word, (counts.get(word) ?? 0) + 1).get(word) ?? 0}`)
    const emitted: string[] = []
    for await (const records of log.read(stage.writes.name, 0, 0)) {
      for (const { value } of records) {
        const decoded = await forgetfulCodec().decode(stage.writes, value ?? Buffer.alloc(0))
        emitted.push(decoded.kind === 'event' ? decoded.event.word : decoded.reason)
      }
    }
    expect(emitted).toEqual(fold)
    await log.close()
    await rm(folder, { recursive: true, force: true })
  },
)
