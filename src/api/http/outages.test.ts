import { expect, it } from 'vitest'
import { anApi, settled } from '../../../test/builders/api.ts'

it('tells once that an engine is away and once that it is back; each line of a request says why it failed', async () => {
  const api = await anApi()
  const key = await api.key()
  const messages = () => api.lines.filter(({ message }) => message.startsWith('engine_')).map(({ message }) => message)
  const ask = async () => (await api.get('/v1/clusters', key)).status
  api.store.rows.set('clusters.page', [])
  api.store.away = true
  for (let i = 0; i < 20; i++) expect(await ask()).toBe(503)

  expect(messages()).toEqual(['engine_away'])
  expect(api.lines.filter(({ message }) => message === 'unavailable')).toEqual([])
  expect(api.lines.filter(({ message }) => message === 'request').at(-1)?.fields).toMatchObject({
    ...{ status: 503, reason: 'store is away' },
  })

  api.store.away = false
  await ask()
  expect(messages()).toEqual(['engine_away']) // it may fail again shortly
  await api.clock.advance(5_000)
  for (let i = 0; i < 3; i++) await ask()
  await settled()

  expect(messages()).toEqual(['engine_away', 'engine_back'])
  expect(api.lines.find(({ message }) => message === 'engine_back')?.fields).toEqual({
    engine: 'store',
    away_ms: 5_000,
  })
  await api.stop()
})
