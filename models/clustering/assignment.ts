import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { clusteringModel, readGenreModel } from '../../src/adapters/model-files.ts'
import { onnxEncoder } from '../../src/adapters/onnx/language-models.ts'
import { bodyOf } from '../../src/language/body-text.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { assignmentStatements, type AssignmentStatement, calibrationError } from '../../src/quality/assignments.ts'
import { keptLeads } from '../../src/quality/kept-leads.ts'
import { labelledArticles, type LabelledArticle } from '../../src/quality/labelled-articles.ts'
import { analyzed } from '../../src/quality/stories.ts'
import { storyReplay } from '../../src/quality/story-replay.ts'
import { ASSIGNMENTS, type AssignmentWeights } from '../../src/language/clustering/model.ts'
import {
  assignmentConfidence,
  assignmentOf,
  settledAssignment,
  type Assignment,
} from '../../src/stages/clustered/assignment.ts'
import { clustered } from '../../src/stages/clustered/stage.ts'
import { hasWords } from '../../src/stages/clustered/tokens.ts'
import { fitSamples } from './logistic.ts'

/**
 * Learns how surely an article stays where it is placed: replays articles through the clusterer and holds each of its
 * statements against where the article is 24 hours later (see the README beside this file):
 *
 *     nice -n 10 npx tsx models/clustering/assignment.ts CORPUS.jsonl.gz SET.jsonl.gz ... \
 *       --model MODEL.onnx --tokenizer TOKENIZER.json
 *
 * The first file is replayed once more by its headlines alone. Labels of stories are not read. Run it again whenever the
 * first decision or the rebuild decides otherwise.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { model: { type: 'string' }, tokenizer: { type: 'string' }, leads: { type: 'string' } },
})
if (positionals.length === 0 || values.model === undefined || values.tokenizer === undefined) {
  throw new Error('usage: assignment.ts CORPUS.jsonl.gz SET.jsonl.gz ... --model MODEL.onnx --tokenizer TOKENIZER.json')
}

interface ObservedAssignment extends Assignment {
  readonly held: boolean
}

const WEIGHTS = projectPath('models/clustering/assignment.json')
const arrival = Date.UTC(2026, 0, 1)
const namespace = 'quality'
const model = clusteringModel()
const genres = readGenreModel()
const pool = await onnxEncoder({ onnx: values.model, tokenizer: values.tokenizer, processes: 1 })
const encoder = keptLeads(pool, values.leads ?? projectPath('.story/training'))

const observed: ObservedAssignment[][] = []
for (const [i, file] of positionals.entries()) {
  const articles = await labelledArticles(file)
  observed.push(await observe(articles))
  if (i === 0) observed.push(await observe(articles.map((one) => ({ ...one, text: one.title ?? '' }))))
}
encoder.save()
await pool.close()

const firstHalves = observed.map((rows) => rows.slice(0, rows.length / 2))
const learnedFromHalf = learn(firstHalves.flat())
const weights = learn(observed.flat())
observed.forEach((rows, i) => {
  const later = rows.slice(rows.length / 2)
  console.log(
    `set ${i}: ${errorsOf(rows, weights)}; the later half, learned from the earlier: ${errorsOf(later, learnedFromHalf)}`,
  )
})
writeFileSync(WEIGHTS, `${JSON.stringify(weights, null, 2)}\n`)

async function observe(articles: readonly LabelledArticle[]): Promise<ObservedAssignment[]> {
  const replay = storyReplay(clustered({ ...model, budget: 200_000, texts: 100_000 }), { namespace, arrival })
  const texts = new Map<string, { readonly dated: boolean; readonly hasBody: boolean }>()
  for (const article of articles) {
    const event = await analyzed(article, { encoder, arrival, namespace, genres })
    const hasBody = hasWords(bodyOf(event.title, event.text), model.weights.text.min_body_words)
    texts.set(event.article_id, { dated: event.dated, hasBody })
    replay.article(event)
  }
  replay.end()
  return assignmentStatements(replay.ledger).map(({ held, ...statement }) => ({ ...factsOf(statement), held }))

  function factsOf({ event, article }: Omit<AssignmentStatement, 'held'>): Assignment {
    const own = (id: string) => texts.get(id) ?? { dated: false, hasBody: false }
    return event.change === null
      ? assignmentOf(event.decision, own(article))
      : settledAssignment(event.change.article_ids.map(own))
  }
}

/** All statements weigh the same, so that what is learned is calibrated. */
function learn(rows: readonly ObservedAssignment[]): AssignmentWeights {
  const entries = ASSIGNMENTS.map((kind) => {
    const own = rows.filter((row) => row.kind === kind)
    const names = Object.keys(own[0]?.facts ?? {})
    const fitted = fitSamples(
      own.map(({ facts, held }) => ({
        row: names.map((name) => facts[name] ?? 0),
        label: held ? (1 as const) : (0 as const),
        weight: 1,
      })),
    )
    const named = [...names, 'bias'].map((name, i) => [name, Math.round((fitted[i] ?? 0) * 1e3) / 1e3] as const)
    return [kind, Object.fromEntries(named)] as const
  })
  return Object.fromEntries(entries) as AssignmentWeights
}

/** Calibration errors of first decisions and of settled articles. */
function errorsOf(rows: readonly ObservedAssignment[], by: AssignmentWeights): string {
  const error = (some: readonly ObservedAssignment[]) =>
    calibrationError(some.map((row) => ({ probability: assignmentConfidence(row, by), held: row.held }))).toFixed(4)
  const [settled, first] = [
    rows.filter(({ kind }) => kind === 'settled'),
    rows.filter(({ kind }) => kind !== 'settled'),
  ]
  return `${error(first)} of ${first.length} placed, ${error(settled)} of ${settled.length} settled`
}
