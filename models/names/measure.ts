/**
 * B-cubed and pairwise figures of our names against GUM's coreference, over named mentions of persons and organisations:
 * `npx tsx models/names/measure.ts FOLDER_OF_CONLL [-v]`. With `-v` every chain that we split or join wrongly.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { canonicalNames } from '../../src/language/names/canonical-names.ts'
import { parsePlaces, placeNamed } from '../../src/language/places/places.ts'
import { bCubed, pairwise, type GroupedItem, type ScoreMeasure } from '../../src/domain/quality/b-cubed.ts'
import { namedMentions } from './gum.ts'

const [folder = '.', verbose] = process.argv.slice(2)
const places = parsePlaces(
  gunzipSync(readFileSync(new URL('../places/places.tsv.gz', import.meta.url))).toString('utf8'),
)

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
function grouped(by: 'gold' | 'predicted'): ReadonlyMap<string, typeof items> {
  const groups = new Map<string, typeof items>()
  for (const item of items) groups.set(item[by], [...(groups.get(item[by]) ?? []), item])
  return groups
}

if (verbose === '-v') {
  for (const by of ['gold', 'predicted'] as const) {
    const other = by === 'gold' ? 'predicted' : 'gold'
    for (const [group, own] of grouped(by)) {
      const kinds = [...new Set(own.map((item) => `${item.surface} => ${item[other].replace(/^\S+ /, '')}`))]
      if (new Set(own.map((item) => item[other])).size > 1)
        console.log(by === 'gold' ? 'SPLIT' : 'JOINED', group, kinds)
    }
  }
}
