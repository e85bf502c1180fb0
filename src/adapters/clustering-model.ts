import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { projectPath } from '../config/project-path.ts'
import { ASSIGNMENTS } from '../stages/clustered/assignment.ts'
import type { ClusteringModel, Weights } from '../stages/clustered/model.ts'
import { readCategories } from './categories.ts'
import { readPublishers } from './publishers.ts'

const positive = z.number().int().positive()
const pairWeights = z.record(z.string(), z.number())

const weightsFile = z.object({
  version: z.string(),
  text: z.object({
    body_words: positive,
    lead_words: positive,
    min_body_words: positive,
    entity_characters: positive,
    untitled_tokens: positive,
    evidence_characters: positive,
  }),
  keys: z.object({ tokens: positive, entities: positive, common_share: z.number() }),
  pair: z.object({ body: pairWeights, headline: pairWeights }),
  join: z.object({
    threshold: z.number(),
    mean_share: z.number(),
    max_share: z.number(),
    size_weight: z.number(),
    size_cap: positive,
    window_days: z.number().positive(),
    members_compared: positive,
    merge_threshold: z.number(),
    merge_sample: positive,
  }),
  rebuild: z.object({
    window_days: positive,
    threshold: z.number(),
    cohesion_share: z.number().nonnegative(),
    cohesion_most: z.number(),
    size_share: z.number().nonnegative(),
    size_from: positive,
    size_most: positive,
    most_articles: positive,
    compared: positive,
    posting_reach: positive,
    links_kept: positive,
    sample: positive,
    far: z.number(),
    unlike_below: z.number(),
    unlike: z.number(),
    older_compared: positive,
    quiet_minutes: z.number().nonnegative(),
    most_minutes: z.number().positive(),
  }),
  subject: z.object({ threshold: z.number(), min_articles: positive, min_stories: positive }),
  candidates: z.object({ by_sketch: positive, by_keys: positive }),
  origins: z.object({
    same: z.number(),
    derived: z.number(),
    window_days: z.number().positive(),
    min_words: positive,
    max_words: positive,
    compared: positive,
  }),
})

const counts = z.record(z.string(), positive).transform((terms) => new Map(Object.entries(terms)))
const frequenciesFile = z
  .object({ documents: positive, words: counts, entities: counts, titles: counts })
  .transform(({ documents, words, entities, titles }) => ({
    words: { documents, counts: words },
    entities: { documents, counts: entities },
    titles: { documents, counts: titles },
  }))

const assignmentFile = z.record(z.enum(ASSIGNMENTS), pairWeights)

const meanFile = z.object({ model: z.string(), values: z.array(z.number()).length(384) })

/** What `models/clustering/train.ts` has learned, and the weights; each file's hash goes into every decision. */
export function clusteringModel(folder = projectPath('models/clustering')): ClusteringModel {
  const weights = readFileSync(`${folder}/weights.json`)
  const frequencies = readFileSync(`${folder}/document-frequencies.json.gz`)
  const mean = readFileSync(`${folder}/mean-vector.json`)
  const assignment = readFileSync(`${folder}/assignment.json`)
  const parsed = weightsFile.parse(json(weights))
  return {
    weights: parsed,
    idf: frequenciesFile.parse(json(gunzipSync(frequencies))),
    mu: Float32Array.from(meanFile.parse(json(mean)).values),
    assignment: assignmentFile.parse(json(assignment)),
    publishers: readPublishers(),
    categories: readCategories(),
    versions: {
      weights: `${parsed.version}:${hash(weights)}`,
      idf: hash(frequencies),
      mu: hash(mean),
      assignment: hash(assignment),
    },
  }
}

/** The weights alone, for learning the rest. */
export const clusteringWeights = (folder = projectPath('models/clustering')): Weights =>
  weightsFile.parse(json(readFileSync(`${folder}/weights.json`)))

const json = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12)
