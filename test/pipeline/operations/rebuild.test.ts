import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { clickhouseStore } from '../../../src/adapters/clickhouse/store.ts'
import { viewGroup } from '../../../src/ports/log.ts'
import { rereadInPlace } from '../../../src/operations/rebuild/reread.ts'
import { plan } from '../../../src/operations/rebuild/plan.ts'
import { everyView, rebuiltView } from '../../../src/operations/rebuild/rebuilding.ts'
import { rebuild, type RebuildOptions } from '../../../src/operations/rebuild/run.ts'
import { drop, rollBack } from '../../../src/operations/rebuild/take-back.ts'
import { whileClaimed } from '../../../src/operations/rebuild/claim.ts'
import { prepare } from '../../../src/operations/rebuild/begin.ts'
import { refreshAnalystViews } from '../../../src/engines/analysts/views.ts'
import { migrate } from '../../../src/views/migrate.ts'
import { putInPlace, tablesToExchange } from '../../../src/operations/rebuild/exchange.ts'
import { shadowOf } from '../../../src/operations/rebuild/rebuilt-tables.ts'
import { aDyingLog } from '../../builders/running.ts'
import { anApi } from '../../builders/api.ts'
import { anEntity, ViewWriter } from '../../builders/views.ts'
import { sized } from '../../builders/sizes.ts'
import { aNamespace } from '../views-database.ts'
import { aRebuildHome, STORY, type RebuildHome } from './rebuild-home.ts'
import { until } from '../until.ts'

const asUsual: RebuildOptions = { broken: 'go on', differences: 'refuse' }
const clusters = rebuiltView('clusters')
const stories = rebuiltView('stories')

let home: RebuildHome
const members = () => home.number('SELECT count() AS n FROM members FINAL')

beforeAll(async () => {
  home = await aRebuildHome()
  await home.publish(120)
  await home.untilShown()
})
afterAll(async () => {
  await home.close()
})

describe('a rebuild', () => {
  it('makes every view again, equal to the last row, and exchanges them', async () => {
    const before = await home.hashes()

    const outcomes = await rebuild(everyView(), asUsual, home.rebuilding())

    const differing = outcomes.flatMap(({ tables }) => tables.filter(({ same }) => !same).map(({ table }) => table))
    expect(differing).toEqual([])
    expect(outcomes.every(({ exchanged }) => exchanged)).toBe(true)
    expect(outcomes.find(({ view }) => view === 'clusters')).toMatchObject({ records: 120 })
    expect(await home.hashes()).toEqual(before)
    // and the live view writes into what is live now
    await home.publish(1)
    await home.untilShown()
    expect(await members()).toBe(121)
  })

  it('says what it would read and how much there is, and changes nothing', async () => {
    const plans = await plan(clusters, null, home.rebuilding())

    expect(plans).toMatchObject({
      ...{ view: 'clusters', records: 121, topics: [{ topic: 'articles.clustered', records: 121 }] },
      ...{ from_percent: null, claimed_by: null },
    })
    expect(plans.rows).toContainEqual({ table: 'members', rows: 121 })
  })

  it('tells what differs and leaves it alone, exchanges where that is meant, and takes it back at once', async () => {
    await home.live.command(`DELETE FROM members WHERE _offset = 7 SETTINGS lightweight_deletes_sync = 2`)
    expect(await members()).toBe(120)

    const [refused] = await rebuild([clusters], asUsual, home.rebuilding())

    expect(refused).toMatchObject({ exchanged: false })
    const table = refused?.tables.find((one) => one.table === 'members')
    expect(table).toMatchObject({ same: false, rebuilt: { rows: 121 }, live: { rows: 120 } })
    expect(table?.difference).toMatchObject({ only_live: { rows: 0 }, only_rebuilt: { rows: 1 } })
    expect(table?.difference?.only_rebuilt.examples[0]).toContain('shared')
    expect(await members()).toBe(120)

    const [accepted] = await rebuild([clusters], { ...asUsual, differences: 'accept' }, home.rebuilding())
    expect(accepted).toMatchObject({ exchanged: true })
    expect(await members()).toBe(121)

    await home.publish(3)
    await home.untilShown()
    const taken = await rollBack([clusters], home.rebuilding())
    // what was logged since stands in the tables that are back, and so does the hole that was in them
    expect(taken).toMatchObject([{ view: 'clusters' }])
    expect(await members()).toBe(123)
    await expect(rollBack([clusters], home.rebuilding())).rejects.toThrow('Nothing to roll back')
  })

  it('reads again in place from an offset on, which mends what is missing from there', async () => {
    await rereadInPlace([clusters], { offset: 8 }, home.rebuilding())
    expect(await members()).toBe(123)

    const done = await rereadInPlace([clusters], { offset: 5 }, home.rebuilding())

    expect(done).toEqual([{ view: 'clusters', read_again: 119 }])
    expect(await members()).toBe(124)
  })

  it('goes on where a process was killed, whichever of its steps that was', async () => {
    const before = await home.hashes()
    for (const nth of [1, 2, 4]) {
      const { log, died } = aDyingLog(home.log, { call: 'commit', nth, when: 'before' })
      const killed = home.rebuilding({ log, died, pid: 2 ** 30 }) // no process has that number
      const broken = rebuild([clusters, stories], { ...asUsual, broken: nth === 1 ? 'restart' : 'go on' }, killed)
      await Promise.race([died, broken])
      for (const name of ['clusters', 'stories']) home.log.crash(viewGroup(`${name}.rebuild`))
    }
    const after = home.rebuilding()

    const outcomes = await rebuild([clusters, stories], asUsual, after)

    expect(outcomes).toMatchObject([{ exchanged: true }, { exchanged: true }])
    expect(after.said).toContainEqual(expect.stringMatching(/^taking over the rebuild of clusters/))
    expect(after.said).toContainEqual(expect.stringMatching(/^resuming at [1-9]\d* %$/))
    expect(await home.hashes()).toEqual(before)
  })

  it('is done by one process at a time, and says who that is and since when', async () => {
    const first = home.rebuilding()
    await prepare(first)

    await whileClaimed(['clusters'], first, async () => {
      await expect(rebuild([clusters], asUsual, home.rebuilding())).rejects.toThrow(
        new RegExp(`Process ${process.pid} on .* has been rebuilding clusters since 2\\d{3}-`),
      )
      expect((await plan(clusters, null, home.rebuilding())).claimed_by).toMatchObject({ pid: process.pid })
    })

    expect(await rebuild([clusters], asUsual, home.rebuilding())).toMatchObject([{ exchanged: true }])
  })

  it('refuses where the log has let its beginning go, and names the way out', async () => {
    const shortened = Object.assign(Object.create(home.log) as typeof home.log, {
      starts: () => Promise.resolve([40]),
    })

    await expect(rebuild([clusters], asUsual, home.rebuilding({ log: shortened }))).rejects.toThrow(
      /The beginning of articles\.clustered.*story archive import/,
    )
  })

  it('takes over the records of a story that the compacted log no longer tells', async () => {
    const rows = () => home.number('SELECT count() AS n FROM enrichments FINAL')
    const all = await rows()
    home.log.compact('stories.enriched')

    const [outcome] = await rebuild([rebuiltView('echo')], asUsual, home.rebuilding())

    expect(outcome?.tables).toContainEqual(
      expect.objectContaining({ table: 'enrichments', carried: all - 1, same: true }),
    )
    expect(await rows()).toBe(all)
  })

  it('lets go of what it replaced', async () => {
    await drop(everyView(), home.rebuilding())

    expect(await home.number(`SELECT count() AS n FROM system.databases WHERE name = '${home.database}_rebuild'`)).toBe(
      0,
    )
    await expect(rollBack([clusters], home.rebuilding())).rejects.toThrow('Nothing to roll back')
  })
})

const READS = sized(60, 200)

describe('reads', () => {
  it('go on through a rebuild while articles come in: none fails, and none shows less than before', async () => {
    const namespace = aNamespace()
    const api = await anApi({ store: home.live, limits: { starter: 1e6, professional: 1e6, enterprise: 1e6 } })
    const key = await api.key({ namespace, tier: 'enterprise' })
    await home.publish(30, namespace)
    await home.untilShown()
    let rebuilt = false
    const failed: string[] = []
    let fewer = 0
    const counted: number[] = []
    const read = async (): Promise<number> => {
      const [story, article] = await Promise.all([
        api.get(`/v1/clusters/${STORY}`, key),
        api.get('/v1/entities?time_range=7d', key),
      ])
      if (story.status !== 200 || article.status !== 200) failed.push(`${story.status} ${article.status}`)
      return ((await story.json()) as { article_count: number }).article_count
    }
    const reader = async () => {
      for (let last = 0; (!rebuilt || counted.length < READS) && failed.length === 0;) {
        const now = await read()
        await setTimeout(20) // else reads leave a rebuild no share of two cores
        if (now < last) fewer += 1
        counted.push(now)
        last = now
      }
    }
    const writer = async () => {
      while (!rebuilt) {
        await home.publish(1, namespace)
        await setTimeout(250)
      }
    }

    const readers = [reader(), reader(), writer()]
    const outcomes = await rebuild(
      (['clusters', 'entities', 'articles'] as const).map(rebuiltView),
      asUsual,
      home.rebuilding(),
    )
    rebuilt = true
    await Promise.all(readers)

    expect(outcomes.filter(({ exchanged }) => !exchanged)).toEqual([])
    expect({ failed, fewer }).toEqual({ failed: [], fewer: 0 })
    expect(counted.length).toBeGreaterThanOrEqual(READS)
    // and nothing that came in meanwhile is missing for good
    await home.untilShown()
    const published = home.log.records('articles.clustered').length
    await until('all are shown', async () => ((await members()) === published ? true : null))
    await api.stop()
  }, 300_000)
})

describe('what refers to a table by its name', () => {
  it('goes on with the table that is put in: views, and those of analysts, each with its own rows alone', async () => {
    const { url, analystPassword, ...connection } = inject('engines').clickhouse
    const sides = { live: connection.database, shadow: shadowOf(connection.database) }
    const [live, shadow] = [
      clickhouseStore({ ...connection, url }),
      clickhouseStore({ ...connection, url, database: sides.shadow }),
    ]
    for (const store of [live, shadow]) await migrate(store, { replicated: false })
    await refreshAnalystViews(live, sides.live)
    const namespace = aNamespace()
    const [old, young] = [new ViewWriter(live), new ViewWriter(shadow)]
    await old.analyzed({ entities: [anEntity('Old Name')] })
    await young.analyzed({ entities: [anEntity('Young Name')] }, { namespace, entities: [anEntity('Hidden Name')] })
    const readAll = async () => {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'X-ClickHouse-User': 'analyst', 'X-ClickHouse-Key': analystPassword },
        body: `SELECT name FROM analyst.entities WHERE name IN ('Old Name', 'Young Name', 'Hidden Name')`,
      })
      return (await answer.text()).trim()
    }
    expect(await readAll()).toBe('Old Name')
    const tables = await tablesToExchange(live, sides, ['entity_articles', 'mentions', 'analyzed_articles'])

    await putInPlace(
      live,
      sides,
      tables.map(({ table, rebuilt }) => ({ table, target: rebuilt })),
    )

    expect(await readAll()).toBe('Young Name')
    // asked for again it changes nothing: what is in place stays
    await putInPlace(
      live,
      sides,
      tables.map(({ table, rebuilt }) => ({ table, target: rebuilt })),
    )
    expect(await readAll()).toBe('Young Name')
    await putInPlace(
      live,
      sides,
      tables.map(({ table, replaced }) => ({ table, target: replaced })),
    )
    expect(await readAll()).toBe('Old Name')
    await live.command(`DROP DATABASE ${sides.shadow} SYNC`)
    await Promise.all([live.close(), shadow.close()])
  })
})
