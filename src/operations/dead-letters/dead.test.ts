import { Command } from 'commander'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anIngestedArticle } from '../../../test/builders/articles.ts'
import { aHandClock } from '../../../test/builders/hand-clock.ts'
import { MemoryLog } from '../../adapters/memory-log.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { loadConfig } from '../../config/config.ts'
import { articlesIngested } from '../../events/articles.ts'
import { deadLetter } from '../../runtime/dead-letter.ts'
import { unusedPorts } from '../../../test/builders/unused-ports.ts'
import type { Wiring } from '../../ports/wiring.ts'
import { deadCommand } from '../../cli/dead.ts'

const HOUR_MS = 3_600_000
const codec = new PlainCodec()

let log: MemoryLog
let said: unknown[]
let clock: ReturnType<typeof aHandClock>

beforeEach(async () => {
  clock = aHandClock()
  log = new MemoryLog({ now: () => clock.now() })
  said = []
  const article = (namespace: string) =>
    codec.encode(articlesIngested, anIngestedArticle({ event_id: namespace, namespace }))
  const values = [await article('mine'), Buffer.from('no avro'), await article('yours')]
  await log.produce(values.map((value, i) => ({ topic: 'articles.ingested', key: `key-${i}`, value })))
  const reasons = ['text_too_short', 'malformed_avro', 'text_too_short']
  for (const [i, record] of log.records('articles.ingested').entries()) {
    clock.pass(HOUR_MS)
    await log.produce([
      deadLetter(record, { stage: 'scored', reason: reasons[i] ?? '', cause: `because\n\u001b[2J${i}` }),
    ])
  }
  clock.pass(HOUR_MS)
})

async function story(...words: readonly string[]): Promise<unknown> {
  said = []
  const wiring: Wiring = {
    config: loadConfig({}),
    environment: {},
    clock,
    logger: pino({ level: 'silent' }),
    out: { line: (text) => said.push(text), json: (value) => said.push(value), progress: () => undefined },
    ...unusedPorts,
    log: () => Promise.resolve(log),
    codec: () => Promise.resolve(codec),
  }
  const quiet = { writeErr: () => undefined, writeOut: () => undefined }
  const program = new Command().exitOverride().configureOutput(quiet)
  deadCommand(program, wiring)
  await program.parseAsync(['dead', ...words], { from: 'user' })
  return said.at(-1)
}

const Listed = z.object({ letters: z.array(z.looseObject({ id: z.string() })) })
const offsets = async (...words: readonly string[]) =>
  Listed.parse(await story('list', ...words, '--json')).letters.map(({ id }) => Number(id.split(':')[2]))

describe('story dead list', () => {
  it.each([
    { words: [], found: [0, 1, 2] },
    { words: ['--reason', 'text_too_short'], found: [0, 2] },
    { words: ['--reason', 'text_too_short,malformed_avro'], found: [0, 1, 2] },
    { words: ['--stage', 'analyzed'], found: [] },
    { words: ['--topic', 'articles.ingested.dead'], found: [0, 1, 2] },
    { words: ['--topic', 'articles.scored'], found: [] },
    { words: ['--namespace', 'yours'], found: [2] },
    { words: ['--since', '150m'], found: [1, 2] },
    { words: ['--until', '150m'], found: [0] },
    { words: ['--id', 'articles.ingested.dead:0:1', 'articles.ingested:0:2'], found: [1, 2] },
    { words: ['--limit', '2'], found: [0, 1] },
  ])('finds $found with $words', async ({ words, found }) => {
    expect(await offsets(...words)).toEqual(found)
  })

  it('counts by topic, stage and reason', async () => {
    expect(await story('list', '--summary', '--json')).toEqual({
      total: 3,
      counts: [
        { topic: 'articles.ingested', stage: 'scored', reason: 'text_too_short', letters: 2, settled: 0 },
        { topic: 'articles.ingested', stage: 'scored', reason: 'malformed_avro', letters: 1, settled: 0 },
      ],
    })
  })

  it('keeps whatever an error says on its line', async () => {
    await story('list')

    expect(said.length).toBe(3)
    expect(said.join('')).not.toMatch(/\p{Cc}/u)
  })

  it.each([
    [['--since', 'soon'], '--since soon: expected a date'],
    [['--limit', '0'], '--limit 0: expected a whole number, 1 or more'],
    [['--id', '12'], '--id 12: expected topic:partition:offset'],
    [['--namespace', 'No'], '--namespace No: expected 3 to 40'],
    [['--topic', 'keys.changed'], '--topic keys.changed: not a topic with dead letters (articles.analyzed'],
  ])('says what is wrong with %s', async (words, why) => {
    await expect(story('list', ...words)).rejects.toThrow(why)
  })
})

describe('story dead show', () => {
  it('shows the event, or how the bytes begin, and the command that retries it', async () => {
    const readable = await story('show', 'articles.ingested:0:0', '--json')
    const malformed = await story('show', 'articles.ingested.dead:0:1', '--json')

    expect(readable).toMatchObject({ event: { namespace: 'mine' }, unreadable: null, hex: null, settled: null })
    expect(readable).toMatchObject({ headers: { reason: 'text_too_short' }, original: { offset: 0 } })
    expect(malformed).toMatchObject({
      event: null,
      unreadable: 'malformed_avro',
      hex: Buffer.from('no avro').toString('hex'),
    })
    expect(malformed).toMatchObject({ retry: 'story dead retry --id articles.ingested.dead:0:1' })
    await expect(story('show', 'articles.ingested.dead:0:9')).rejects.toThrow('no dead letter at')
  })
})

describe('story dead retry and drop', () => {
  it('only say what they would do with --dry-run', async () => {
    const answer = await story('retry', '--reason', 'text_too_short', '--dry-run', '--json')

    expect(answer).toMatchObject({ dry_run: true, retried: 2, gone: [] })
    expect(await offsets()).toEqual([0, 1, 2])
  })

  it('settle what is meant, and what is settled is listed where that is asked for', async () => {
    const retried = await story('retry', '--reason', 'text_too_short', '--json')
    const dropped = await story('drop', '--all', '--json')

    expect([retried, dropped]).toMatchObject([{ retried: 2 }, { dropped: 1 }])
    expect(await offsets()).toEqual([])
    expect(await offsets('--settled')).toEqual([0, 1, 2])
    expect(
      log
        .records('articles.ingested')
        .slice(3)
        .map(({ key }) => key),
    ).toEqual(['key-0', 'key-2'])
  })

  it('want to be told which', async () => {
    await expect(story('retry', '--limit', '5')).rejects.toThrow('Select dead letters with')
  })
})
