import { DAY_MS, dayName } from '../../domain/days.ts'
import { describe, expect, it } from 'vitest'
import { articleArrived, articleRemoved, dayNamed, dayRebuilt, daysDue, noDays } from './days.ts'

const MINUTE_MS = 60_000
const PATIENCE = { quiet_minutes: 1, most_minutes: 60 }

const came = (day: number, order: number, minute = 0) => ({
  articleId: `art_${order}`,
  order,
  loggedAt: minute * MINUTE_MS,
  features: { time: day * DAY_MS + 5 },
})

const days = (...articles: readonly ReturnType<typeof came>[]) => {
  const made = noDays()
  for (const article of articles) articleArrived(made, article)
  return made
}

const at = (minute: number, flush = false) => ({ loggedAt: minute * MINUTE_MS, flush })

describe('daysDue', () => {
  it('waits until nothing came for a while', () => {
    const waiting = days(came(17_000, 0, 0), came(17_003, 1, 10))

    expect(daysDue(waiting, at(10.5), PATIENCE)).toEqual([])
    expect(daysDue(waiting, at(11), PATIENCE)).toEqual([17_000, 17_003])
  })

  it('lets no article wait for ever', () => {
    const busy = days(...Array.from({ length: 61 }, (_, minute) => came(17_000, minute, minute)))

    expect(daysDue(busy, at(59.9), PATIENCE)).toEqual([])
    expect(daysDue(busy, at(60), PATIENCE)).toEqual([17_000])
  })

  it('waits for nothing when nothing more comes', () => {
    expect(daysDue(days(came(17_000, 0, 10)), at(10, true), PATIENCE)).toEqual([17_000])
    expect(daysDue(noDays(), at(10, true), PATIENCE)).toEqual([])
  })

  it('knows what was rebuilt, in whatever order it is told', () => {
    const rebuilt = { day: dayName(17_000), up_to: 5 }
    const [before, after] = [days(came(17_000, 4), came(17_000, 5)), noDays()]
    dayRebuilt(before, rebuilt)
    dayRebuilt(after, rebuilt)
    for (const order of [5, 4]) articleArrived(after, came(17_000, order))

    expect(before).toEqual(after)
    expect([...(before.unsettled.get(17_000)?.keys() ?? [])]).toEqual(['art_5'])
    articleRemoved(before, came(17_000, 5))
    expect(daysDue(before, at(0, true), PATIENCE)).toEqual([])
  })
})

it('names days', () => {
  expect(dayName(17_896)).toBe('2018-12-31')
  expect(dayNamed('2018-12-31')).toBe(17_896)
})
