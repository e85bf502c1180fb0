import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { projectPath } from '../../config/project-path.ts'
import { parsePlaces } from '../places/places.ts'
import { parseLexicon } from './lexicon.ts'
import { openEventTable } from '../named-events/open.ts'
import type { QuickFiles } from './quick-tagger.ts'
import { parseWeights } from './tagger.ts'

const FILES = ['models/ner/recogniser.bin.gz', 'models/ner/lexicon.tsv.gz', 'models/places/places.tsv.gz'] as const

/** The committed weights, word list and places; some 150 ms and 30 MB. */
export function openQuickFiles(): { readonly files: QuickFiles; readonly model: string } {
  const [weights, lexicon, places] = FILES.map((path) => gunzipSync(readFileSync(projectPath(path))))
  if (weights === undefined || lexicon === undefined || places === undefined)
    throw new Error('A file of the recogniser is missing')
  const hash = createHash('sha256').update(weights).update(lexicon).update(places).digest('hex').slice(0, 12)
  const files = {
    weights: parseWeights(weights),
    lexicon: parseLexicon(lexicon.toString('utf8')),
    places: parsePlaces(places.toString('utf8')),
    events: openEventTable(),
  }
  return { files, model: `crf:${hash}` }
}
