import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { GENRES, type Genre } from '../events/articles.ts'
import { sha256 } from '../events/ids.ts'
import { bodyOf } from '../language/body-of.ts'
import type { GenreText } from '../language/genre/cues.ts'
import { languageOf } from '../language/language-of.ts'
import { projectPath } from '../project-path.ts'
import { jsonLines, textOf } from './labelled-file.ts'

/** An article whose genre somebody may have judged. */
export interface GenreArticle extends GenreText {
  readonly id: string
  /** Null: nobody judged it. */
  readonly genre: Genre | null
  /** Its label is one that `models/genre/train.ts` learns from. */
  readonly learned: boolean
  /** The reader hesitated between two genres. */
  readonly unsure: boolean
  /** `uniform`: drawn at random; `enriched`: drawn so that rare genres occur. */
  readonly sample: string
  /** 0 to 4, by its id. */
  readonly fold: number
}

const FOLDS = 5
const LABELS = 'models/clustering/labels/genre.jsonl'

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? null)

const Line = z.object({
  id: z.string(),
  url: text,
  title: text,
  source: text,
  author: text,
  text,
  genre: z.enum(GENRES).nullish(),
})

const Label = z.object({ id: z.string(), genre: z.enum(GENRES), unsure: z.boolean(), sample: z.string() })

/** Articles of a JSONL file (also gzip); where a line has no `genre`, the project's own labels are looked up by its id. */
export function genreArticles(file: string): GenreArticle[] {
  const labels = new Map(jsonLines(textOf(readFileSync(projectPath(LABELS))), Label).map((label) => [label.id, label]))
  return jsonLines(textOf(readFileSync(file)), Line).map((line) => articleOf(line, labels.get(line.id)))
}

const UNLABELLED = { genre: null, unsure: false, sample: 'uniform' } as const

function articleOf(
  { id, genre, text: whole, ...signed }: z.infer<typeof Line>,
  label: z.infer<typeof Label> | undefined,
): GenreArticle {
  const body = bodyOf(signed.title, whole ?? '')
  const known = label ?? UNLABELLED
  return {
    ...{ ...signed, id, body, language: languageOf(body || (signed.title ?? '')) },
    ...{ genre: genre ?? known.genre, unsure: known.unsure, sample: known.sample },
    learned: label !== undefined,
    fold: sha256(`genre ${id}`).readUInt32BE(0) % FOLDS,
  }
}
