import { z } from 'zod'
import { GENRES, type Genre } from '../../events/articles.ts'
import { logits } from '../vectors.ts'
import { addressCues, type Cues, type GenreText, headlineCues, namedGenre, textCues } from './cues.ts'
import { WORDING_WIDTH, wordingOf } from './wording.ts'

/** A text with fewer words than this, or one that is not English, is judged by its address and headline alone. */
const MIN_TEXT_WORDS = 80

/** What a layer looks at: everything, or what a headline and its address say. */
export type GenreLayer = 'text' | 'headline'

export const layerOf = ({ body, language }: GenreText): GenreLayer =>
  language === 'en' && body.split(/\s+/u, MIN_TEXT_WORDS).length >= MIN_TEXT_WORDS ? 'text' : 'headline'

/** Named evidence, each 0 to 1, in a fixed order. */
export const genreCues = (article: GenreText, layer: GenreLayer): ReadonlyMap<string, number> =>
  new Map(
    Object.entries({ ...signs(article), ...(layer === 'text' ? textCues(article.body) : {}) }).map(([name, value]) => [
      name,
      Number(value),
    ]),
  )

/** What stands around the text. */
const signs = (article: GenreText): Cues => ({ ...addressCues(article), ...headlineCues(article.title) })

const Layer = z.object({
  bias: z.record(z.enum(GENRES), z.number()),
  /** By cue, what it adds for each genre. */
  cues: z.record(z.string(), z.record(z.enum(GENRES), z.number())),
})

const Words = z.object({
  /** What 1 in `weights` stands for. */
  scale: z.number(),
  /** Base64 of one signed byte for each bucket and genre, the genres of a bucket together. */
  weights: z.base64().transform((text) => new Int8Array(Buffer.from(text, 'base64'))),
})

const File = z.object({ text: Layer, headline: Layer, wording: Words })

/** What `models/genre/train.ts` has learned. */
export interface GenreModel extends Readonly<Record<GenreLayer, ReturnType<typeof readLayer>>> {
  /** What the words of the layer `text` add. */
  readonly wording: z.infer<typeof Words>
}

/** Reads the text of `models/genre/weights.json`. */
export function parseGenreModel(json: string): GenreModel {
  const { text, headline, wording } = File.parse(JSON.parse(json))
  if (wording.weights.length !== WORDING_WIDTH * GENRES.length)
    throw new Error(`The genre model has ${wording.weights.length} weights of words`)
  return { text: readLayer(text), headline: readLayer(headline), wording }
}

const readLayer = ({ bias, cues }: z.infer<typeof Layer>) => ({
  names: Object.keys(cues),
  bias: GENRES.map((genre) => bias[genre]),
  /** One row a genre, in the order of `GENRES`; one number a name. */
  weights: GENRES.map((genre) => Object.values(cues).map((of) => of[genre])),
})

/** The genre of an article: what its address or headline names outright, else by its address, its headline and the wording of its text. */
export function genreOf(article: GenreText, model: GenreModel): Genre {
  const named = namedGenre(article.title, signs(article))
  if (named !== null) return named
  const layer = layerOf(article)
  const { names, ...weights } = model[layer]
  const cues = genreCues(article, layer)
  const sums = logits(
    weights,
    names.map((name) => cues.get(name) ?? 0),
  )
  if (layer === 'text') addWording(sums, article, model.wording)
  return GENRES[sums.indexOf(Math.max(...sums))] ?? 'report'
}

function addWording(sums: number[], article: GenreText, { scale, weights }: GenreModel['wording']): void {
  const { buckets, shares } = wordingOf(article)
  buckets.forEach((bucket, i) => {
    const share = scale * (shares[i] ?? 0)
    const from = bucket * GENRES.length
    for (let genre = 0; genre < GENRES.length; genre++)
      sums[genre] = (sums[genre] ?? 0) + share * (weights[from + genre] ?? 0)
  })
}
