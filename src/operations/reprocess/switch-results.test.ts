import { readGenreModel } from '../../adapters/model-files.ts'
import { describe, expect, it } from 'vitest'
import { besideName } from '../../adapters/beside-log.ts'
import { PlainCodec } from '../../adapters/plain-codec.ts'
import { articlesIngested, articlesScored, type ArticleScored } from '../../events/articles.ts'
import { STAGES } from '../../events/stages.ts'
import { parseCredibility } from '../../language/quality/credibility.ts'
import { runStage } from '../../runtime/run-stage.ts'
import { scored, type ScoredDependencies } from '../../stages/scored/stage.ts'
import type { StageDependencies } from '../../pipeline.ts'
import { A_DAY, A_REPORT, anIngestedArticle, axisVector } from '../../../test/builders/articles.ts'
import { asEncoder } from '../../../test/builders/encoder.ts'
import { aNewsroom, portsWith, type Newsroom } from '../../../test/builders/reprocess.ts'
import { aRunning } from '../../../test/builders/running.ts'
import { aTokenReading } from '../../../test/builders/tokens.ts'
import { reprocessStage, type ReprocessRequest } from './reprocess-stage.ts'
import { reprocessed } from './stages.ts'

const withGate = (gate: number): ScoredDependencies => ({
  crossEncoder: null,
  encoder: asEncoder({
    model: 'test',
    dim: 384,
    sentences: async (texts) => texts.map(() => axisVector(0)),
    leads: async (articles) => articles.map(() => axisVector(1)),
    close: async () => undefined,
  }),
  credibility: parseCredibility(JSON.stringify({ classes: {}, domains: {} })),
  genres: readGenreModel(),
  tokens: aTokenReading(),
  gate,
})

/** Two articles, a revision of the first, and a repeat of it; scored. */
async function aDay(): Promise<Newsroom> {
  const room = aNewsroom()
  const revised = `${A_REPORT} It will open again in two years.`
  await room.publish(articlesIngested, [
    anIngestedArticle({ url: 'https://www.example.com/1' }),
    anIngestedArticle({ url: 'https://www.example.com/2', text: `${A_REPORT} Nobody was hurt.` }),
    anIngestedArticle({ url: 'https://www.example.com/1', text: revised }),
    anIngestedArticle({ url: 'https://www.example.com/1' }),
  ])
  await score(room)
  return room
}

/** Runs the current stage until it has read everything. */
async function score({ memoryLog, codec }: Newsroom): Promise<void> {
  const stage = await runStage(scored(withGate(0.1)), { ...aRunning({ memoryLog }), codec })
  const isRead = () => (memoryLog.commitOf('scored', articlesIngested.name, 0)?.offset ?? 0) >= 4
  while (!isRead()) await memoryLog.changed(isRead)
  await stage.stop()
}

async function resultsIn({ memoryLog }: Newsroom, topic = articlesScored.name): Promise<readonly ArticleScored[]> {
  const codec = new PlainCodec()
  const all = memoryLog.records(topic).map(({ value }) => codec.decode(articlesScored, value ?? Buffer.alloc(0)))
  return (await Promise.all(all)).flatMap((one) => (one.kind === 'event' ? [one.event] : []))
}

const request = (over: Partial<ReprocessRequest> = {}): ReprocessRequest => ({
  stage: reprocessed('scored'),
  version: STAGES.scored.version,
  from: null,
  mode: 'switch',
  ...over,
})

const ports = (room: Newsroom, gate: number) =>
  portsWith(room, { scored: async () => withGate(gate) } as unknown as StageDependencies)

/** The number of requests for the end offsets of the results before the last one, which is just before publishing. */
const BEFORE_PUBLISHING = 3

describe('reprocessing a stage without memory', { timeout: 120_000 }, () => {
  it('by the same version finds every result the same and tells nothing', async () => {
    const room = await aDay()

    const report = await reprocessStage(request(), ports(room, 0.1))

    expect(report).toMatchObject({
      versions_before: [STAGES.scored.version],
      versions_after: [STAGES.scored.version],
      results: { compared: 4, same: 4, differ: 0, only_before: 0, only_after: 0 },
      switched: { events: 0 },
    })
    expect(await resultsIn(room)).toHaveLength(4)
  })

  it('says by which fields results differ, and tells the newest of each article as its next revision', async () => {
    const room = await aDay()
    const before = await resultsIn(room)

    const report = await reprocessStage(request(), ports(room, 0.99))

    expect(report.results).toMatchObject({ compared: 4, differ: 4 })
    expect(report.results?.fields.map(({ field }) => field)).toEqual(['forwarded', 'gate_reason'])
    const published = (await resultsIn(room)).slice(before.length)
    const newest = [before[2], before[1]]
    expect(published.map(({ article_id }) => article_id).sort()).toEqual(newest.map((one) => one?.article_id).sort())
    expect(
      published.every(({ forwarded, produced_by }) => !forwarded && produced_by.version === STAGES.scored.version),
    ).toBe(true)
    expect(published.map(({ text }) => text).sort()).toEqual(newest.map((one) => one?.text).sort())
    const revisions = [...before, ...published].map(({ article_id, content_hash }) => `${article_id} ${content_hash}`)
    expect(new Set(revisions).size).toBe(3 + published.length) // one of the four was a repeat
  })

  it('leaves an article alone of which the running stage tells a newer text meanwhile', async () => {
    const room = await aDay()
    const before = await resultsIn(room)
    const newer = `${A_REPORT} It will stay closed for three years.`
    const during = {
      ...ports(room, 0.99),
      log: Object.assign(Object.create(room.memoryLog) as typeof room.memoryLog, {
        // the running stage publishes just before this run would
        ends: async (topic: string) => {
          const ends = await room.memoryLog.ends(topic)
          if (topic === articlesScored.name && looks++ === BEFORE_PUBLISHING) {
            const [first] = before
            if (first === undefined) throw new Error('nothing was scored')
            await room.publish(articlesScored, [{ ...first, event_id: 'newer', text: newer, content_hash: 'newer' }])
            return room.memoryLog.ends(topic)
          }
          return ends
        },
      }),
    }
    let looks = 0

    await reprocessStage(request(), during)

    const published = (await resultsIn(room)).slice(before.length)
    expect(published.map(({ text }) => text)).toContain(newer)
    expect(published.filter(({ article_id }) => article_id === before[0]?.article_id).map(({ text }) => text)).toEqual([
      newer,
    ])
    expect(published).toHaveLength(2) // it and the result of the other article
  })

  it('told in part and begun again, tells the rest and nothing twice', async () => {
    const room = await aDay()
    await reprocessStage(request({ mode: 'compare' }), ports(room, 0.99))
    let first = true
    const dying = {
      ...ports(room, 0.99),
      log: Object.assign(Object.create(room.memoryLog) as typeof room.memoryLog, {
        produce: async (records: Parameters<typeof room.memoryLog.produce>[0]) => {
          if (first) await room.memoryLog.produce(records.slice(0, 1))
          first = false
          throw new Error('the process died')
        },
      }),
    }
    await expect(reprocessStage(request(), dying)).rejects.toThrow('the process died')

    const report = await reprocessStage(request(), ports(room, 0.99))

    expect(report.switched).toMatchObject({ events: 1 })
    expect(new Set((await resultsIn(room)).map(({ event_id }) => event_id)).size).toBe(6)
    expect(
      (await reprocessStage(request({ version: STAGES.scored.version }), ports(room, 0.99))).switched,
    ).toMatchObject({ events: 0 })
  })

  it.each([
    { from: { offset: 2 }, compared: 2 },
    { from: { time: A_DAY + 2 * 86_400_000 }, compared: 0 },
  ])('begins where it is told to: $from', async ({ from, compared }) => {
    const room = await aDay()

    const report = await reprocessStage(request({ from, mode: 'compare' }), ports(room, 0.99))

    expect(report.results).toMatchObject({ compared })
    expect(await resultsIn(room, besideName(articlesScored.name))).toHaveLength(compared)
  })

  it('goes on where it was, and does not let itself be told otherwise', async () => {
    const room = await aDay()
    await reprocessStage(request({ mode: 'compare' }), ports(room, 0.99))

    const again = reprocessStage(request({ from: { offset: 2 }, mode: 'compare' }), ports(room, 0.99))

    await expect(again).rejects.toThrow('a run of scored has already started')
    expect(await resultsIn(room, besideName(articlesScored.name))).toHaveLength(4)
  })

  it('does not tell a feed again', () => {
    expect(() => reprocessed('changed')).toThrow(
      'changed cannot be reprocessed: changes that were sent to followers cannot be sent again',
    )
    expect(() => reprocessed('scoredd')).toThrow('unknown stage. Use one of scored, analyzed, clustered')
  })
})
