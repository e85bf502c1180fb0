import { expect, it } from 'vitest'
import { everyMinute, firstMinute } from './routes.ts'

it('tells every minute up to the one that runs, those without an article too', () => {
  const now = Date.parse('2016-05-03T12:02:40Z')
  const from = firstMinute(now, 3)

  expect(everyMinute([{ time: '2016-05-03T12:01:00.000Z', articles: 7 }], from, 3)).toEqual([
    { time: '2016-05-03T12:00:00.000Z', articles: 0 },
    { time: '2016-05-03T12:01:00.000Z', articles: 7 },
    { time: '2016-05-03T12:02:00.000Z', articles: 0 },
  ])
})
