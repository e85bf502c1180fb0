import { expect, it } from 'vitest'
import { FakeStore } from '../../../test/builders/api.ts'
import { A_DAY, anInput } from '../../../test/builders/articles.ts'
import { aMatch } from '../../../test/builders/monitors.ts'
import { storiesMatched } from '../../events/monitors.ts'
import type { Input } from '../../runtime/shapes.ts'
import { InvalidCursor } from '../cursor.ts'
import { monitors } from '../row-per-event.ts'
import { matchList } from './matches.ts'

it('makes a row of each story of an event', () => {
  const [story] = aMatch().stories
  const stories = ['sto_a', 'sto_b'].flatMap((cluster_id) => (story === undefined ? [] : { ...story, cluster_id }))
  const event = aMatch({ type: 'monitor.digest', stories })
  const input = anInput(event, { topic: storiesMatched.name, offset: 7, loggedAt: A_DAY })
  const rows = monitors.projections.flatMap((one) => one.project(input as Input<never>))

  expect(rows.map(({ table, row }) => [table, row['cluster_id'], row['type'], row['_offset']])).toEqual([
    ['matches', 'sto_a', 'monitor.digest', 7],
    ['matches', 'sto_b', 'monitor.digest', 7],
  ])
})

it('does not take the cursor of another monitor', async () => {
  const store = new FakeStore()
  const row = {
    ...{ story_id: 'sto_a', title: null, url: null, source: null, article_ids: [], article_count: 1, origin_count: 1 },
    ...{ lifecycle_state: null, velocity: 0, sentiment_score: 0, conditions_version: 1 },
    matched_at: '2016-05-03T11:00:00.000Z',
  }
  store.rows.set('monitors.matches', [
    { ...row, id: 'evt_b' },
    { ...row, id: 'evt_a' },
  ])
  const list = (monitor_id: string, cursor: string | undefined) =>
    matchList(store, { namespace: 'acme', monitor_id, cursor, limit: 1 })
  const { next_cursor } = await list('mon_a', undefined)

  await expect(list('mon_b', next_cursor ?? '')).rejects.toThrow(InvalidCursor)
})
