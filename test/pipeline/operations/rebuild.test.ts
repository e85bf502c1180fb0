import { MAIN_STORE } from '../../../src/domain/stores.ts'
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
const clusters = rebuiltView('clusters', MAIN_STORE)
const stories = rebuiltView('stories', MAIN_STORE)

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
  it('rebuilds every view, equal in every row, and switches over', async () => {
    const before = await home.hashes()

    const outcomes = await rebuild(everyView(MAIN_STORE), asUsual, home.rebuilding())

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

  it('with dry-run prints what it would read, and changes nothing', async () => {
    const plans = await plan(clusters, null, home.rebuilding())

    expect(plans).toMatchObject({
      ...{ view: 'clusters', records: 121, topics: [{ topic: 'articles.clustered', records: 121 }] },
      ...{ from_percent: null, claimed_by: null },
    })
    expect(plans.rows).toContainEqual({ table: 'members', rows: 121 })
  })

  it('reports differences without switching over, switches over if accepted, and rolls back', async () => {
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
    // the restored tables have the rows logged since, and still lack the missing row
    expect(taken).toMatchObject([{ view: 'clusters' }])
    expect(await members()).toBe(123)
    await expect(rollBack([clusters], home.rebuilding())).rejects.toThrow('Nothing to roll back')
  })

  it('re-reads in place from an offset, which restores missing rows', async () => {
    await rereadInPlace([clusters], { offset: 8 }, home.rebuilding())
    expect(await members()).toBe(123)

    const done = await rereadInPlace([clusters], { offset: 5 }, home.rebuilding())

    expect(done).toEqual([{ view: 'clusters', read_again: 119 }])
    expect(await members()).toBe(124)
  })

  it('resumes after a process was killed, in whichever step', async () => {
    const before = await home.hashes()
    for (const nth of [1, 2, 4]) {
      const { log, died } = aDyingLog(home.log, { call: 'commit', nth, when: 'before' })
      const killed = home.rebuilding({ log, died, pid: 2 ** 30 }) // no process has this id
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

  it('is done by one process at a time, and reports which one and since when', async () => {
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

  it('refuses if the log no longer has its beginning, and names the remedy', async () => {
    const shortened = Object.assign(Object.create(home.log) as typeof home.log, {
      starts: () => Promise.resolve([40]),
    })

    await expect(rebuild([clusters], asUsual, home.rebuilding({ log: shortened }))).rejects.toThrow(
      /The beginning of articles\.clustered.*story archive import/,
    )
  })

  it('carries over the records that the log no longer has after compaction', async () => {
    const rows = () => home.number('SELECT count() AS n FROM enrichments FINAL')
    const all = await rows()
    home.log.compact('stories.enriched')

    const [outcome] = await rebuild([rebuiltView('echo', MAIN_STORE)], asUsual, home.rebuilding())

    expect(outcome?.tables).toContainEqual(
      expect.objectContaining({ table: 'enrichments', carried: all - 1, same: true }),
    )
    expect(await rows()).toBe(all)
  })

  it('drops the replaced tables', async () => {
    await drop(everyView(MAIN_STORE), home.rebuilding())

    expect(await home.number(`SELECT count() AS n FROM system.databases WHERE name = '${home.database}_rebuild'`)).toBe(
      0,
    )
    await expect(rollBack([clusters], home.rebuilding())).rejects.toThrow('Nothing to roll back')
  })
})

const READS = sized(60, 200)

describe('reads during a rebuild', () => {
  it('never fail and never return less than before, while articles arrive', async () => {
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
        await setTimeout(20) // otherwise reads leave no CPU to the rebuild on two cores
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
      (['clusters', 'entities', 'articles'] as const).map((name) => rebuiltView(name, MAIN_STORE)),
      asUsual,
      home.rebuilding(),
    )
    rebuilt = true
    await Promise.all(readers)

    expect(outcomes.filter(({ exchanged }) => !exchanged)).toEqual([])
    expect({ failed, fewer }).toEqual({ failed: [], fewer: 0 })
    expect(counted.length).toBeGreaterThanOrEqual(READS)
    // and no article that arrived meanwhile is lost
    await home.untilShown()
    const published = home.log.records('articles.clustered').length
    await until('all are shown', async () => ((await members()) === published ? true : null))
    await api.stop()
  }, 900_000)
})

describe('views of a switched table', () => {
  it('read the new table: views, and those of analysts, each with its own rows only', async () => {
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
    // a repeated call changes nothing
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
