import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  aChange,
  aCorrection,
  aLinker,
  anArticle,
  contentOf,
  folded,
  graphOf,
  live,
} from '../../../test/builders/linked.ts'
import type { StoryLinked } from '../../events/graph.ts'
import type { ArticleClustered } from '../../events/ledger.ts'

const STORIES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const NAMES = ['p1', 'p2', 'o3', 'g4', 'l5', 'e6', 'd7']

/** Something that may happen to stories; numbers choose among what there is. */
const happening = fc.record({
  what: fc.oneof(
    { weight: 10, arbitrary: fc.constant('article' as const) },
    fc.constantFrom('revised', 'elsewhere', 'merged', 'split', 'moved', 'merge', 'undo', 'refused', 'again'),
  ),
  who: fc.nat(),
  from: fc.nat(STORIES.length - 1),
  to: fc.nat(STORIES.length - 1),
  names: fc.subarray(NAMES, { minLength: 2 }),
  hours: fc.nat(100),
  subject: fc.constantFrom('strike', 'flood'),
})

type Happening = fc.RandomType<typeof happening>

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
  return lines.map((line, i) => ({ ...line, event_id: lines[i - 1] === line ? `evt_${i - 1}` : `evt_${i}` }))
}

interface SoFar {
  readonly lines: readonly ArticleClustered[]
  readonly storyOf: ReadonlyMap<string, string>
}

function lineOf({ what, who, ...one }: Happening, { lines, storyOf }: SoFar): ArticleClustered | null {
  const [from, to] = [STORIES[one.from] ?? '', STORIES[one.to] ?? '']
  const known = [...storyOf.keys()]
  const someone = known[who % Math.max(1, known.length)]
  const own = known.filter((id) => storyOf.get(id) === from)
  const about = { names: one.names.join(' '), hours: one.hours, subject: one.subject }
  if (what === 'again') return lines.at(-1) ?? null
  if (what === 'article') return anArticle(to, `${storyOf.size}`, about)
  if (someone === undefined) return null
  if (what === 'revised') return anArticle(storyOf.get(someone) ?? '', someone, about)
  if (what === 'elsewhere') return anArticle(to, someone, about)
  if (own.length === 0 || from === to) return null
  const some = own.filter((_, i) => ((who >> i) & 1) === 0)
  if (what === 'merged') return aChange('merged', [from, to], own, one.hours)
  if (what === 'merge') return aCorrection('merge', [from, to], own, { hours: one.hours })
  if (some.length === 0) return null
  if (what === 'refused') return aCorrection('move', [from, to], some, { refused: 'article_moved' })
  if (what === 'undo') return aCorrection('undo', [from, to], some, { hours: one.hours })
  if (what === 'moved') return aChange('moved', [from, to], some, one.hours)
  return [...storyOf.values()].includes(to) ? null : aChange('split', [from, to], some, one.hours)
}

const ledgers = fc.array(happening, { minLength: 10, maxLength: 45, size: 'max' }).map(ledgerOf)

it('at every line what was told is the graph of the facts, to the bit, however often the memory was restored', () => {
  const seen = { links: 0, threads: 0, ledger: 0, removed: 0 }
  fc.assert(
    fc.property(ledgers, fc.array(fc.nat(), { minLength: 50, maxLength: 50 }), (ledger, random) => {
      const linker = aLinker()
      const told: StoryLinked[] = []
      for (const [i, line] of ledger.entries()) {
        const heard = linker.hear(line)
        if (typeof heard !== 'string') told.push(...heard)
        const now = graphOf(ledger.slice(0, i + 1))
        expect(folded(told)).toEqual(now)
        if ((random[i] ?? 0) % 9 === 0) linker.restart((keys) => shuffled(keys, random))
        seen.links += now.links.length
        seen.threads += now.threads.size
        seen.ledger += now.links.filter(({ confidence }) => confidence === 1).length
      }
      seen.removed += told.filter(({ action }) => action === 'removed').length
      expect(new Set(told.map(({ event_id }) => event_id)).size).toBe(told.length)
    }),
    { numRuns: 250 },
  )
  // a test of graphs without links would say nothing
  expect(Math.min(seen.links, seen.threads, seen.ledger, seen.removed)).toBeGreaterThan(250)
}, 120_000)

const shuffled = (keys: readonly string[], random: readonly number[]): string[] =>
  keys
    .map((key, i) => ({ key, by: Math.imul((random[i % random.length] ?? 0) + i, 2_654_435_761) >>> 0 }))
    .sort((a, b) => a.by - b.by)
    .map(({ key }) => key)

it('what is restored from the changelog, in whatever order, is what lived: also when stories have left', () => {
  fc.assert(
    fc.property(ledgers, fc.array(fc.nat(), { minLength: 50, maxLength: 50 }), (ledger, random) => {
      const [lived, restored] = [live(ledger, { budget: 8 }), live(ledger, { budget: 8 })]

      restored.restart((keys) => shuffled(keys, random))

      expect(contentOf(restored.state())).toEqual(contentOf(lived.state()))
      for (const line of ledger.slice(0, 12)) expect(restored.hear(line)).toEqual(lived.hear(line))
    }),
    { numRuns: 100 },
  )
})
