/**
 * Exact-span figures, as the service would answer, of tags that `predict.py` wrote for a labelled file:
 * `npx tsx models/ner/score.ts FILE.bio.gz TAGS`
 */
import { readFileSync } from 'node:fs'
import { openQuickFiles } from '../../src/language/recogniser/quick-tagger.ts'
import { scoreNerFile } from '../../src/quality/ner.ts'
import type { Tagger } from '../../src/ports/reader.ts'

const [file = '', tagFile = ''] = process.argv.slice(2)
const recorded = readFileSync(tagFile)
let at = 0
const tagger: Tagger = {
  model: tagFile,
  tags: (sentences) =>
    Promise.resolve(sentences.map(({ words }) => Uint8Array.from(recorded.subarray(at, (at += words.texts.length))))),
}

const { score, types } = await scoreNerFile({ tagger, lists: openQuickFiles().files }, readFileSync(file))
for (const [name, { f1, precision, recall }] of [['all', score] as const, ...types]) {
  const [f, p, r] = [f1, precision, recall].map((value) => (100 * value).toFixed(1))
  console.log(`${name}: ${f ?? ''} (P ${p ?? ''} R ${r ?? ''})`)
}
