import { expect, it } from 'vitest'
import { storiesMatched } from '../../../src/events/monitors.ts'
import { matchList } from '../../../src/views/monitors/matches.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aMatch } from '../../builders/monitors.ts'
import { aNamespace, viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()

it('lists each match of a monitor once, newest first, without digests', async () => {
  const namespace = aNamespace()
  const at = (event_id: string, minutes: number, over: Parameters<typeof aMatch>[0] = {}) =>
    aMatch({ event_id, namespace, occurred_at: A_DAY + minutes * 60_000, ...over })
  await writer.write(storiesMatched, [
    at('evt_a', 0),
    at('evt_b', 1),
    at('evt_a', 0), // again, after a crash
    at('evt_c', 2, { type: 'monitor.digest' }),
    at('evt_d', 3, { monitor_id: 'mon_b' }),
    at('evt_e', 4, { namespace: aNamespace() }),
  ])
  const list = (cursor: string | undefined) => matchList(store, { namespace, monitor_id: 'mon_a', cursor, limit: 1 })
  const first = await list(undefined)
  const second = await list(first.next_cursor ?? '')

  expect(first.matches).toEqual([
    {
      ...{ id: 'evt_b', story_id: 'sto_a', title: 'Rain in the north', url: 'https://times.example.com/rain' },
      ...{ source: 'The Times', article_ids: ['art_a'], article_count: 2, origin_count: 2 },
      ...{ lifecycle_state: 'breaking', velocity: 2, sentiment_score: -0.25, conditions_version: 1 },
      matched_at: new Date(A_DAY + 60_000).toISOString(),
    },
  ])
  expect(second).toMatchObject({ matches: [{ id: 'evt_a' }], next_cursor: null })
})
