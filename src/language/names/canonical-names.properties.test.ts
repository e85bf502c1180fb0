import fc from 'fast-check'
import { expect, it } from 'vitest'
import { leastCpuMs } from '../../../test/builders/cpu.ts'
import type { EntityType } from '../../events/articles.ts'
import { entityId } from '../../events/ids.ts'
import { parsePlaces } from '../places/places.ts'
import { readFileSync } from 'node:fs'
import { projectPath } from '../../config/project-path.ts'
import { parseAliases } from './aliases.ts'
import { canonicalNames } from './canonical-names.ts'
import type { NamedMention } from './mentions.ts'

const places = parsePlaces('France\tcountry\tFR\t48.9\t2.3\t\nManchester\tcity\tGB\t53.5\t-2.2\t')
const WORDS = `Ann Bill James Jim J. Robert Bob Mary de al-Rowe Falk Waldo Hale Nuñez Nunez Trump Clinton Jr. III Bird
  Council Bank of and National Committee Group Inc. BC WHO U.N. the Mr. Mrs. Sen. Falk’s FALK France Manchester`.split(
  /\s+/,
)
const surface = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const type = fc.constantFrom<EntityType[]>('PERSON', 'ORG', 'GPE', 'EVENT')
const before = fc.constantFrom('said ', 'Mr. ', 'Mrs. ', 'Sen. ', 'Falk (')
const mention: fc.Arbitrary<NamedMention> = fc.record({ type, surface, before })
const mentions = fc.array(mention, { maxLength: 14 })

it('gives one name a mention, never an empty one', () => {
  fc.assert(
    fc.property(mentions, (given) => {
      const names = canonicalNames(given, places)

      expect(names).toHaveLength(given.length)
      expect(names.every(({ name }) => name.trim() !== '')).toBe(true)
    }),
  )
})

it('takes a name from the alias map as itself', () => {
  const { lines } = parseAliases(readFileSync(projectPath('models/names/aliases.tsv'), 'utf8'))
  const known = lines.map(({ type: of, name }) => ({ type: of, surface: name }))

  for (const each of known) expect(canonicalNames([each], places)[0]?.name).toBe(each.surface)
})

it('names a canonical name as itself when it stands alone', () => {
  fc.assert(
    fc.property(mention, (given) => {
      const [once] = canonicalNames([given], places)
      const again = once === undefined ? [] : canonicalNames([{ type: once.type, surface: once.name }], places)

      expect(again).toEqual([once])
    }),
  )
})

it('says the same in any order of the mentions', () => {
  fc.assert(
    fc.property(
      mentions.chain((given) =>
        fc.tuple(fc.constant(given), fc.shuffledSubarray([...given.keys()], { minLength: given.length })),
      ),
      ([given, order]) => {
        const unbracketed = given.map(({ type: of, surface: written }) => ({ type: of, surface: written }))
        const straight = canonicalNames(unbracketed, places)
        const shuffled = canonicalNames(
          order.flatMap((i) => unbracketed[i] ?? []),
          places,
        )

        expect(shuffled).toEqual(order.map((i) => straight[i]))
      },
    ),
  )
})

it('gives the same id to the same type and name, whatever else an article says', () => {
  const id = (...surfaces: string[]): string | undefined => {
    const name = canonicalNames(
      surfaces.map((each) => ({ type: 'PERSON', surface: each })),
      places,
    ).at(-1)
    return name && entityId(name.type, name.name)
  }

  expect(id('Ann Waldo', 'Trump')).toBe(id('Bill Hale', 'Donald J. Trump'))
  expect(id('Ann Waldo', 'Waldo')).toBe(id('Ann Waldo'))
  expect(id('Ann Waldo')).not.toBe(id('Jill Waldo'))
})

const NAMESAKES = (i: number): NamedMention => ({
  type: i % 3 === 0 ? 'ORG' : 'PERSON',
  surface: i % 3 === 0 ? `Bird ${i.toString(36)} Council` : `${i % 2 === 0 ? `A${i.toString(36)} ` : ''}Waldo`,
  before: 'said Mr. ',
})
const NO_TWO_ALIKE = (i: number): NamedMention => ({ type: 'PERSON', surface: `Ann${i} Falk${i}`, before: 'said ' })
const ONE_BEGINNING = (i: number): NamedMention => ({ type: 'ORG', surface: i % 2 === 0 ? `Falkner ${i}` : 'Falkner' })

it.each([
  ['namesakes', NAMESAKES],
  ['strangers', NO_TWO_ALIKE],
  ['houses that begin alike', ONE_BEGINNING],
])(
  'reads 5,000 names of %s without a pair by pair look',
  (_, mentionAt) => {
    const given = Array.from({ length: 5_000 }, (__, i) => mentionAt(i))

    expect(leastCpuMs(() => canonicalNames(given, places), 300)).toBeLessThan(300)
  },
  60_000,
)
