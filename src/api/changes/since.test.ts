import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { anApi, A_NOON, type TestApi } from '../../../test/builders/api.ts'

const HOUR_MS = 3_600_000
const Page = z.object({ changes: z.array(z.unknown()), next_cursor: z.string() })

let api: TestApi
let key: string
beforeEach(async () => {
  api = await anApi()
  key = await api.key()
  api.store.rows.set('changes.after', [])
  api.store.rows.set('changes.newest', [{ place: 7, log_partition: 0 }])
})
afterEach(() => api.stop())

const page = async (query: Record<string, string>) =>
  Page.parse(await (await api.get(`/v1/changes?${new URLSearchParams(query).toString()}`, key)).json())

/** The parameters of the last query for changes. */
const lastQuery = () => api.store.queries.filter(({ name }) => name === 'changes.after').at(-1)?.params

it('changes since a time are those recorded from then on', async () => {
  await page({ since: new Date(A_NOON - HOUR_MS).toISOString() })

  expect(lastQuery()).toMatchObject({ after: -1, since: '2016-05-03 11:00:00.000' })
})

it('the cursor of an empty answer continues after the older changes', async () => {
  const { next_cursor } = await page({ since: new Date(A_NOON).toISOString() })
  await page({ cursor: next_cursor, since: '2016-04-20' })

  expect(lastQuery()).toMatchObject({ after: 7 })
})

it('a time before the retention is its beginning', async () => {
  await page({ since: '2015-01-01' })

  expect(lastQuery()).toMatchObject({
    since: new Date(A_NOON + 1_000 - 30 * 24 * HOUR_MS).toISOString().replace('T', ' ').slice(0, 23),
  })
})
