/** Prints exact-span figures on labelled files: `npx tsx models/ner/evaluate.ts FILE.bio.gz…`. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parsePlaces } from '../../src/language/places/places.ts'
import { parseLexicon } from '../../src/language/recogniser/lexicon.ts'
import { parseWeights } from '../../src/language/recogniser/tagger.ts'
import { labelTokens, parseBio, scoreNerFile } from '../../src/quality/score-ner-file.ts'
import { spanScore } from '../../src/quality/ner-score.ts'

const file = (path: string | URL): Buffer => gunzipSync(readFileSync(path))
const here = (path: string): URL => new URL(path, import.meta.url)
const files = {
  weights: parseWeights(file(process.env['MODEL'] ?? here('recogniser.bin.gz'))),
  lexicon: parseLexicon(file(here('lexicon.tsv.gz')).toString('utf8')),
  places: parsePlaces(file(here('../places/places.tsv.gz')).toString('utf8')),
}
const percent = (value: number): string => (100 * value).toFixed(1)
for (const path of process.argv.slice(2)) {
  const began = performance.now()
  const { score } = scoreNerFile(files, readFileSync(path))
  const seconds = (performance.now() - began) / 1000
  const sentences = parseBio(file(path).toString('utf8'))
  const types = ['PER', 'ORG', 'LOC', 'EVENT'].map((type) => {
    const answers = sentences.map(({ tokens }) => labelTokens(files, tokens))
    const each = spanScore(
      sentences.map(({ labels }) => labels),
      answers,
      new Set([type]),
    )
    return `${type} ${percent(each.f1)} (P ${percent(each.precision)} R ${percent(each.recall)})`
  })
  console.log(
    `${path.split('/').pop() ?? path}: F1 ${percent(score.f1)} P ${percent(score.precision)} R ${percent(score.recall)}; ${types.join('; ')}; ${seconds.toFixed(1)} s`,
  )
}
