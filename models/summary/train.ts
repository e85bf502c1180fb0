import { readFileSync, writeFileSync } from 'node:fs'
import { termWeights } from '../../src/wiring/summary-model.ts'
import { shownHeadline } from '../../src/language/headlines/central-headline.ts'
import { sentences } from '../../src/language/sentences.ts'
import { clarity, clarityCues, type ClarityModel, type PlacedSentence } from '../../src/language/summary/clarity.ts'
import { quotable } from '../../src/language/summary/quotable.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { labelledArticles } from '../../src/quality/labelled-articles.ts'
import { fitSamples } from '../clustering/logistic.ts'

/**
 * Learns `weights.json` from the sentences labelled in `labels.tsv` and prints how good it is on stories that it has not
 * learned from (five folds of stories):
 *
 *     npx tsx models/summary/train.ts ALLSIDES.jsonl.gz
 */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: train.ts ALLSIDES.jsonl.gz')

type SummaryLayer = ClarityModel['opening']
interface LabelledPlace {
  readonly story: number
  readonly label: string
  readonly placed: PlacedSentence
}

/** The penalty on a squared weight against one sample; three: of 1, 3 and 10 the one best on other stories. */
const PENALTY = 3
const FOLDS = 5
/** Characters of a text that hold the sentences that a summary may quote. */
const MAX_CHARACTERS = 15_000
/** As in `src/language/summary/summarise.ts`. */
const CLEAR = 0.55

const weigh = termWeights()
const articles = new Map((await labelledArticles(file)).map((article) => [article.id, article]))
const rows = readFileSync(projectPath('models/summary/labels.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
const opening = rows.filter(([, place]) => place === 'opening').flatMap(labelledOf)
const further = rows.filter(([, place]) => place === 'further').flatMap(labelledOf)

const model: ClarityModel = { opening: learn(opening), further: learn(further) }
writeFileSync(projectPath('models/summary/weights.json'), `${JSON.stringify(model, null, 1)}\n`)
report('opening', opening)
report('further', further)

/** None where a sentence is one that summaries do not quote any more. */
function labelledOf(row: readonly string[]): LabelledPlace[] {
  const [story, , label = '', headlineId = '', id = '', index, before, firstId = '', firstIndex] = row
  const headline = shownHeadline(articles.get(headlineId)?.title ?? '')
  const sentence = quoted(id, Number(index))
  const first = firstId === '' ? '' : quoted(firstId, Number(firstIndex))
  if (sentence === null || first === null) return []
  const headlineTerms = weigh(headline)
  const placed = {
    sentence,
    terms: weigh(sentence),
    before: Number(before),
    read: `${headline} ${first}`,
    readTerms: new Map([...headlineTerms, ...weigh(first)]),
    headlineTerms,
    isOfHeadline: id === headlineId,
    isOfFirst: id === firstId,
  }
  return [{ story: Number(story), label, placed }]
}

function quoted(id: string, index: number): string | null {
  const text = articles.get(id)?.text.slice(0, MAX_CHARACTERS) ?? ''
  const place = sentences(text)[index]
  if (place === undefined) throw new Error(`labels.tsv: article ${id} has no sentence ${index}`)
  return quotable(text.slice(place.start, place.end))
}

function learn(labelled: readonly LabelledPlace[]): SummaryLayer {
  const names = Object.keys(clarityCues(labelled[0]?.placed ?? emptyPlace()))
  const fitted = fitSamples(
    labelled.map(({ label, placed }) => ({
      row: Object.values(clarityCues(placed)),
      label: label === 'good' ? 1 : 0,
      weight: 1 / PENALTY,
    })),
  )
  const rounded = (value = 0): number => Math.round(value * 1000) / 1000
  return {
    bias: rounded(fitted[names.length]),
    cues: Object.fromEntries(names.map((name, i) => [name, rounded(fitted[i])])),
  }
}

function emptyPlace(): PlacedSentence {
  throw new Error('labels.tsv has no sentence of this place')
}

/** How many are good, and good or acceptable: of all, of the clearest of each story, of all that are clear enough. */
function report(place: string, labelled: readonly LabelledPlace[]): void {
  const judged = Array.from({ length: FOLDS }, (_, fold) => {
    const layer = learn(labelled.filter(({ story }) => story % FOLDS !== fold))
    return labelled
      .filter(({ story }) => story % FOLDS === fold)
      .map((one) => ({ ...one, clear: clarity(one.placed, layer) }))
  }).flat()
  const byStory = new Map<number, (typeof judged)[number]>()
  for (const one of judged) {
    const best = byStory.get(one.story)
    if (best === undefined || one.clear > best.clear) byStory.set(one.story, one)
  }
  const best = [...byStory.values()]
  const print = (which: string, some: readonly LabelledPlace[]): void => {
    const share = (...labels: string[]) =>
      (some.filter(({ label }) => labels.includes(label)).length / some.length).toFixed(3)
    console.log(place.padEnd(8), which.padEnd(22), some.length, share('good'), share('good', 'acceptable'))
  }
  print('all', judged)
  print('clearest of a story', best)
  print(
    `${CLEAR} and more`,
    judged.filter(({ clear }) => clear >= CLEAR),
  )
  print(
    'clearest, if so clear',
    best.filter(({ clear }) => clear >= CLEAR),
  )
}
