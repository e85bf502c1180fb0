import { expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/domain/days.ts'
import { contentHash } from '../../../src/events/ids.ts'
import { articlesClustered } from '../../../src/events/ledger.ts'
import { A_DAY } from '../../builders/articles.ts'
import { aClusterer, aReport, inOrder, live, madeUpReport } from '../../builders/clustered.ts'
import { homes, viewsDatabase } from '../views-database.ts'

const { store, writer } = viewsDatabase()
const aHome = homes(store)

it('an article that is revised after it was evicted is in its story at every point in time', async () => {
  const home = await aHome()
  const first = madeUpReport({ event: 0, outlet: 0, day: -4 })
  const second = madeUpReport({ event: 0, outlet: 1, day: -4 })
  const others = Array.from({ length: 12 }, (_, i) => madeUpReport({ event: 1 + (i % 6), outlet: i, day: -1 }))
  const text = others[0]?.text ?? '' // like the articles of another story
  const revision = aReport({ ...second, text, content_hash: contentHash(second.title, text), event_id: 'evt_revised' })

  const evicted = live(aClusterer(6), inOrder([first, second, ...others]))
  expect(evicted.state.namespaces.get('shared')?.members.has(second.article_id)).toBe(false)
  const { events } = live(aClusterer(6), inOrder([revision], 20), evicted)
  expect(events).toMatchObject([{ action: 'revised', article_id: second.article_id }])
  const all = [...evicted.events, ...events]
  await writer.write(
    articlesClustered,
    all.map((event) => ({ ...event, namespace: home.namespace })),
  )

  const story = evicted.events[0]?.cluster_id ?? ''
  const points = [A_DAY - 4 * DAY_MS, A_DAY - 3 * DAY_MS, A_DAY - DAY_MS, A_DAY - HOUR_MS]
  for (const as_of of points) {
    const { body } = await home.get(`/v1/clusters/${story}?as_of=${new Date(as_of).toISOString()}`)
    expect(body).toMatchObject({ id: story, articles: [first.article_id, second.article_id].sort() })
  }
})
