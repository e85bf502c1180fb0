import { isShouted, nameKey } from './name-key.ts'

/** Of several spellings of one name the one to keep, by its key. */
export function spellings(names: Iterable<string>): (name: string) => string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const best = new Map<string, Counted>()
  for (const form of counts) {
    const key = nameKey(form[0])
    const other = best.get(key)
    if (other === undefined || isBetter(form, other)) best.set(key, form)
  }
  return (name) => best.get(nameKey(name))?.[0] ?? name
}

type Counted = readonly [name: string, count: number]

/** Not shouted, with its accents, more often so; the first in the alphabet of equals, whatever the order they came in. */
function isBetter(one: Counted, other: Counted): boolean {
  const difference = rank(one) - rank(other)
  return difference === 0 ? one[0] < other[0] : difference > 0
}

const rank = ([name, count]: Counted): number =>
  (isShouted(name) ? 0 : 4e6) + (ACCENTED.test(name) ? 2e6 : 0) + Math.min(count, 1e6)

const ACCENTED = /[\u00c0-\u024f\u1e00-\u1eff]/u
