/**
 * B-cubed and pairwise figures of our names against GUM's coreference, over named mentions of persons and organisations:
 * `npx tsx models/names/measure.ts FOLDER_OF_CONLL [-v]`. With `-v` every chain that we split or join wrongly.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupedBy } from '../../src/language/grouped-by.ts'
import { bCubed, pairwise, type GroupedItem, type ScoreMeasure } from '../../src/domain/quality/b-cubed.ts'
import type { EntityType } from '../../src/events/articles.ts'
import { canonicalNames } from '../../src/language/names/canonical-names.ts'
import { openPlaces, placeNamed } from '../../src/language/places/places.ts'
import { cleanSpan } from '../../src/language/recogniser/clean.ts'

/** A named mention of a person or an organisation, and the chain of mentions that people put it in. */
interface GoldMention {
  readonly type: EntityType
  readonly surface: string
  readonly before: string
  readonly chain: string
}

interface OpenMention {
  readonly label: string
  readonly start: number
}

const TYPES: Readonly<Record<string, EntityType>> = { person: 'PERSON', organization: 'ORG' }

/** Reads a document of GUM's coreference layer: `index<TAB>word<TAB>brackets`, mentions `(person-4-Wikipedia_title … person-4)`. */
function namedMentions(conll: string): GoldMention[] {
  const rows = conll.split('\n').flatMap((line) => {
    const [, word, brackets] = line.split('\t')
    return word === undefined || brackets === undefined ? [] : [{ word, brackets }]
  })
  const words = rows.map(({ word }) => word)
  const open: OpenMention[] = []
  const spans: { readonly label: string; readonly start: number; readonly end: number }[] = []
  rows.forEach(({ brackets }, i) => {
    for (const [, opened, whole, closed] of brackets.matchAll(/\(([^()]+)(\))?|([^()]+)\)/g)) {
      if (opened !== undefined) open.push({ label: opened, start: i })
      if (opened !== undefined && whole === undefined) continue
      const label = opened ?? closed ?? ''
      const at = open.findLastIndex((each) => each.label === label)
      const found = open[at]
      if (found === undefined) continue
      open.splice(at, 1)
      spans.push({ ...found, end: i + 1 })
    }
  })
  return spans.sort((a, b) => a.start - b.start || b.end - a.end).flatMap((span) => asNamed(words, span) ?? [])
}

const SMALL = new Set("of and the for de la van von der bin al - . , 's ’s ' ’ & / in".split(' '))
const SMALL_OF_PERSON = new Set("de la van von der bin al - . ' ’".split(' '))
const PRONOUN =
  /^(?:i|he|she|it|we|you|they|me|him|her|us|them|my|his|its|our|your|their|mine|who|this|that|these|those|there|here|one|no|an?)$/i

/** As a recogniser would mark it: no article, no title, no "NASA Administrator" before a person, capitals throughout. */
function asNamed(
  words: readonly string[],
  { label, start, end }: OpenMention & { readonly end: number },
): GoldMention | null {
  const [kind = '', number = ''] = label.split('-')
  const type = TYPES[kind]
  if (type === undefined || PRONOUN.test(words[start] ?? '')) return null
  let first = start
  while (/^(?:the|a|an)$/i.test(words[first] ?? '')) first++
  const span = cleanSpan(words, { type: type === 'PERSON' ? 'PER' : 'ORG', start: first, end })
  if (span === null || span.end - span.start > 10) return null
  const own = words.slice(span.start, span.end)
  const small = type === 'PERSON' ? SMALL_OF_PERSON : SMALL
  if (!own.every((word) => /^\p{Lu}/u.test(word) || small.has(word))) return null
  const surface = own
    .join(' ')
    .replace(/ (?=[.,'’])/g, '')
    .replace(/ - /g, '-')
  const before = `${words.slice(Math.max(0, span.start - 6), span.start).join(' ')} `
  return { type, surface, before, chain: `${kind}-${number}` }
}

const [folder = '.', verbose] = process.argv.slice(2)
const places = openPlaces()

const percent = (value: number): string => (100 * value).toFixed(1)
const shown = ({ precision, recall, f1 }: ScoreMeasure): string =>
  `P ${percent(precision)} R ${percent(recall)} F1 ${percent(f1)}`

const items: (GroupedItem & { readonly type: string; readonly surface: string })[] = []
for (const file of readdirSync(folder).filter((name) => name.endsWith('.conll'))) {
  const mentions = namedMentions(readFileSync(join(folder, file), 'utf8')).filter(
    ({ surface }) => placeNamed(places, surface.replace(/['’]s$/, '')) === undefined,
  )
  canonicalNames(mentions, places).forEach((name, i) => {
    const { chain = '', surface = '', type = 'ORG' } = mentions[i] ?? {}
    items.push({ gold: `${file} ${chain}`, predicted: `${file} ${JSON.stringify(name)}`, type, surface })
  })
}
for (const type of ['PERSON', 'ORG']) {
  const own = items.filter((item) => item.type === type)
  console.log(`${type}: ${own.length} mentions; B-cubed ${shown(bCubed(own))}; pairwise ${shown(pairwise(own))}`)
}
console.log(`all: ${items.length} mentions; B-cubed ${shown(bCubed(items))}; pairwise ${shown(pairwise(items))}`)

if (verbose === '-v') {
  for (const by of ['gold', 'predicted'] as const) {
    const other = by === 'gold' ? 'predicted' : 'gold'
    for (const [group, own] of groupedBy(items, (item) => item[by])) {
      const kinds = [...new Set(own.map((item) => `${item.surface} => ${item[other].replace(/^\S+ /, '')}`))]
      if (new Set(own.map((item) => item[other])).size > 1)
        console.log(by === 'gold' ? 'SPLIT' : 'JOINED', group, kinds)
    }
  }
}
