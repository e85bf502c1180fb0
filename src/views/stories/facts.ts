import type { Coverage, LifecycleNumbers } from '../../domain/lifecycle/lifecycle.ts'
import { independent } from '../clusters/origins.ts'

/** An article of a story: milliseconds since 1970, its origin, and the origin that stands for that one or an empty string. */
export type MemberTuple = readonly [number, string, string]

const DAY_MS = 86_400_000

/** What newspapers did with a story up to a moment; at least one member, none after the moment. */
export function coverage(members: readonly MemberTuple[], at: number, numbers: LifecycleNumbers): Coverage {
  const times = members.map(([time]) => time)
  const since = (windowMs: number) => members.filter(([time]) => time > at - windowMs)
  const days = times.map((time) => Math.floor(time / DAY_MS))
  const articles = new Map<number, number>()
  for (const day of days) articles.set(day, (articles.get(day) ?? 0) + 1)
  const roots = rootsOf(members)
  return {
    first_published: least(times),
    last_published: most(times),
    recent_origins: new Set(since(numbers.breaking.windowMs).map(([, origin]) => roots.get(origin))).size,
    recent_articles: since(numbers.developing.windowMs).length,
    peak_day_articles: most([...articles.values()]),
  }
}

/**
 * How fast independent accounts come: those that began in the window over their mean in a window before it, which one
 * more smooths, so that a story's first ones are no division by nothing.
 */
export function velocity(members: readonly MemberTuple[], at: number, windowMs: number): number {
  const roots = rootsOf(members)
  const began = new Map<string, number>()
  for (const [time, origin] of members) {
    const root = roots.get(origin) ?? origin
    began.set(root, Math.min(time, began.get(root) ?? Infinity))
  }
  const beginnings = [...began.values()]
  const before = beginnings.filter((time) => time <= at - windowMs)
  const windows = Math.max(1, (at - windowMs - least(beginnings)) / windowMs)
  return (beginnings.length - before.length) / (before.length / windows + 1)
}

const rootsOf = (members: readonly MemberTuple[]): ReadonlyMap<string, string> =>
  independent(members.map(([, origin, from_origin]) => ({ origin, from_origin })))

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity)

const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity)
