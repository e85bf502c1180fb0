import fc from 'fast-check'
import type { ArticleClustered } from '../../src/events/ledger.ts'
import { aChange, aCorrection, anArticle } from './linked.ts'

const STORIES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const NAMES = ['p1', 'p2', 'o3', 'g4', 'l5', 'e6', 'd7']

/** Something that may happen to stories; numbers choose among what there is. */
const happening = fc.record({
  what: fc.oneof(
    fc.constant('article' as const),
    fc.constantFrom('revised', 'elsewhere', 'merged', 'split', 'moved', 'merge', 'undo', 'refused', 'again', 'stale'),
  ),
  who: fc.nat(),
  to: fc.nat(STORIES.length - 1),
  names: fc.subarray(NAMES, { minLength: 5 }),
  hours: fc.nat(100),
  subject: fc.constantFrom('strike', 'flood'),
})

type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never

/** The ledger that comes of it: each line is possible after those before it. */
function ledgerOf(happenings: readonly Happening[]): readonly ArticleClustered[] {
  const lines: ArticleClustered[] = []
  const storyOf = new Map<string, string>()
  for (const one of happenings) {
    const line = lineOf(one, { lines, storyOf })
    if (line === null) continue
    lines.push(line)
    const { change, article_id, cluster_id } = line
    if (change?.correction?.refused != null) continue
    for (const id of change?.article_ids ?? [article_id]) storyOf.set(id.slice(4), cluster_id.slice(4))
  }
  return lines.map((line) => ({ ...line, event_id: `evt_${lines.indexOf(line)}` }))
}

interface SoFar {
  readonly lines: readonly ArticleClustered[]
  readonly storyOf: ReadonlyMap<string, string>
}

function lineOf({ what, who, ...one }: Happening, { lines, storyOf }: SoFar): ArticleClustered | null {
  const known = [...storyOf.keys()]
  const someone = known[who % Math.max(1, known.length)]
  const [from, to] = [storyOf.get(someone ?? '') ?? '', STORIES[one.to] ?? '']
  const own = known.filter((id) => storyOf.get(id) === from)
  const about = { names: one.names.join(' '), hours: one.hours, subject: one.subject }
  if (what === 'again') return lines.at(-1) ?? null
  if (what === 'article') return anArticle(to, `${storyOf.size}`, about)
  if (someone === undefined) return null
  if (what === 'revised') return anArticle(from, someone, about)
  if (what === 'elsewhere') return anArticle(to, someone, about)
  if (from === to) return null
  // said of articles that are there already
  if (what === 'stale')
    return aChange((['merged', 'split', 'moved'] as const)[one.hours % 3] ?? 'moved', [to, from], own)
  const some = own.filter((_, i) => ((who >> i) & 1) === 0)
  if (what === 'merged') return aChange('merged', [from, to], own, one.hours)
  if (what === 'merge') return aCorrection('merge', [from, to], own, { hours: one.hours })
  if (some.length === 0) return null
  if (what === 'refused') return aCorrection('move', [from, to], some, { refused: 'article_moved' })
  if (what === 'undo') return aCorrection('undo', [from, to], some, { hours: one.hours })
  if (what === 'moved') return aChange('moved', [from, to], some, one.hours)
  return [...storyOf.values()].includes(to) ? null : aChange('split', [from, to], some, one.hours)
}

/** Ledgers in which all happens that may: the most crooked ways included. */
export const ledgers = fc.array(happening, { minLength: 10, maxLength: 35, size: 'max' }).map(ledgerOf)
