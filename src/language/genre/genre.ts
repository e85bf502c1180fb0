import { z } from 'zod'
import { GENRES, type Genre } from '../../events/articles.ts'
import { logits } from '../vectors.ts'
import { addressCues, type Cues, type GenreText, headlineCues, namedGenre, textCues } from './cues.ts'
import { WORDING_WIDTH, wordingOf } from './wording.ts'

/** Shorter texts, and texts that are not English, are classified by URL and headline alone. */
const MIN_TEXT_WORDS = 80

/** `text`: classified by text, headline and URL; `headline`: only by headline and URL. */
export type GenreLayer = 'text' | 'headline'

export const layerOf = ({ body, language }: GenreText): GenreLayer =>
  language === 'en' && body.split(/\s+/u, MIN_TEXT_WORDS).length >= MIN_TEXT_WORDS ? 'text' : 'headline'

/** Named cues, each 0 to 1, in a fixed order. */
export const genreCues = (article: GenreText, layer: GenreLayer): ReadonlyMap<string, number> =>
  new Map(
    Object.entries({ ...metadataCues(article), ...(layer === 'text' ? textCues(article.body) : {}) }).map(
      ([name, value]) => [name, Number(value)],
    ),
  )

const metadataCues = (article: GenreText): Cues => ({ ...addressCues(article), ...headlineCues(article.title) })

const Layer = z.object({
  bias: z.record(z.enum(GENRES), z.number()),
  /** For each cue, the weight for each genre. */
  cues: z.record(z.string(), z.record(z.enum(GENRES), z.number())),
})

const Words = z.object({
  /** A weight is its byte times this. */
  scale: z.number(),
  /** Base64 of one signed byte for each bucket and genre, grouped by bucket. */
  weights: z.base64().transform((text) => new Int8Array(Buffer.from(text, 'base64'))),
})

const File = z.object({ text: Layer, headline: Layer, wording: Words })

/** The model trained by `models/genre/train.ts`. */
export interface GenreModel extends Readonly<Record<GenreLayer, ReturnType<typeof readLayer>>> {
  /** Weights of the wording, used by the layer `text`. */
  readonly wording: z.infer<typeof Words>
}

/** Parses `models/genre/weights.json`. */
export function parseGenreModel(json: string): GenreModel {
  const { text, headline, wording } = File.parse(JSON.parse(json))
  if (wording.weights.length !== WORDING_WIDTH * GENRES.length)
    throw new Error(`The genre model has ${wording.weights.length} weights of words`)
  return { text: readLayer(text), headline: readLayer(headline), wording }
}

const readLayer = ({ bias, cues }: z.infer<typeof Layer>) => ({
  names: Object.keys(cues),
  bias: GENRES.map((genre) => bias[genre]),
  /** One row per genre, in the order of `GENRES`; one number per cue name. */
  weights: GENRES.map((genre) => Object.values(cues).map((byGenre) => byGenre[genre])),
})

/**
 * The genre of an article: the one that its URL or headline states, or else the one predicted from its URL, headline
 * and wording.
 */
export function genreOf(article: GenreText, model: GenreModel): Genre {
  const named = namedGenre(article.title, metadataCues(article))
  if (named !== null) return named
  const layer = layerOf(article)
  const { names, ...weights } = model[layer]
  const cues = genreCues(article, layer)
  const scores = logits(
    weights,
    names.map((name) => cues.get(name) ?? 0),
  )
  if (layer === 'text') addWording(scores, article, model.wording)
  return GENRES[scores.indexOf(Math.max(...scores))] ?? 'report'
}

function addWording(scores: number[], article: GenreText, { scale, weights }: GenreModel['wording']): void {
  const { buckets, shares } = wordingOf(article)
  buckets.forEach((bucket, i) => {
    const share = scale * (shares[i] ?? 0)
    const from = bucket * GENRES.length
    for (let genre = 0; genre < GENRES.length; genre++)
      scores[genre] = (scores[genre] ?? 0) + share * (weights[from + genre] ?? 0)
  })
}
