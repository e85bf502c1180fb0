/** Prints exact-span figures by type: `npx tsx models/ner/evaluate.ts FILE.bio.gz…` with the hashed features alone. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { openQuickFiles, quickTagger } from '../../src/language/recogniser/quick-tagger.ts'
import { labelSentences, parseBio, spanScore } from '../../src/quality/ner.ts'

const { model, files } = openQuickFiles()
const percent = (value: number): string => (100 * value).toFixed(1)
for (const path of process.argv.slice(2)) {
  const sentences = parseBio(gunzipSync(readFileSync(path)).toString('utf8'))
  const gold = sentences.map(({ labels }) => labels)
  const answers = await labelSentences(
    { tagger: quickTagger(model, files), lists: files },
    sentences.map(({ tokens }) => tokens),
  )
  const shown = [['PER', 'ORG', 'LOC'], ['PER'], ['ORG'], ['LOC'], ['EVENT']].map((types) => {
    const { f1, precision, recall } = spanScore(gold, answers, new Set(types))
    return `${types.join('+')} ${percent(f1)} (P ${percent(precision)} R ${percent(recall)})`
  })
  console.log(`${path.split('/').pop() ?? path}: ${shown.join('; ')}`)
}
