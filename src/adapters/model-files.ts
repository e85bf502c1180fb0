import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import {
  assignmentFile,
  frequenciesFile,
  meanFile,
  weightsFile,
  type ClusteringModel,
  type Weights,
} from '../language/clustering/model.ts'
import { parseCategories, type Categories } from '../language/categories/categories.ts'
import { parseGenreModel, type GenreModel } from '../language/genre/genre.ts'
import { parsePublishers, type Publishers } from '../language/publishers/publishers.ts'
import { parseCredibility, type Credibility } from '../language/quality/credibility.ts'
import { linearStance, parseStanceWeights, type LearnedStance } from '../language/stance/stance.ts'
import { parseClarityModel, type ClarityModel } from '../language/summary/clarity.ts'
import { projectPath } from '../config/project-path.ts'

/** Reads a table or trained weights under `models/`. The parser of each format is next to the code that uses it. */
const textOf = (name: string): string => readFileSync(projectPath(`models/${name}`), 'utf8')

export const readCategories = (): Categories => parseCategories(textOf('categories/weights.json'))
export const readClarityModel = (): ClarityModel => parseClarityModel(textOf('summary/weights.json'))
export const readGenreModel = (): GenreModel => parseGenreModel(textOf('genre/weights.json'))

/** Publishers and the groups that own them. */
export const readPublishers = (): Publishers =>
  parsePublishers(textOf('publishers/families.tsv'), textOf('publishers/carriers.txt'))

/** The bundled table of source credibility. Entries of an operator's file in the same format override it. */
export const readCredibility = (override?: string): Credibility =>
  parseCredibility(
    textOf('credibility/domains.json'),
    override === undefined ? undefined : readFileSync(override, 'utf8'),
  )

/** Its name contains the first 12 hex digits of the file's SHA-256. */
export function readStanceModel(file = projectPath('models/stance/weights.json')): LearnedStance {
  const json = readFileSync(file)
  return linearStance(`stance:${hash(json)}`, parseStanceWeights(json.toString('utf8')))
}

/** The output of `models/clustering/train.ts` and the weights. The hash of each file is recorded in every decision. */
export function clusteringModel(): ClusteringModel {
  const weights = clusteringFile('weights.json')
  const frequencies = clusteringFile('document-frequencies.json.gz')
  const mean = clusteringFile('mean-vector.json')
  const assignment = clusteringFile('assignment.json')
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

/** The weights only, as input for training. */
export const clusteringWeights = (): Weights => weightsFile.parse(json(clusteringFile('weights.json')))

const clusteringFile = (name: string): Buffer => readFileSync(projectPath(`models/clustering/${name}`))
const json = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12)
