import { z } from 'zod'
import type { LearnedStance, Stance } from '../language/stance/stance.ts'
import type { EmbeddedText } from '../language/stance/features.ts'
import { asJsonLines, BadLine, jsonLine, linesOf, textOf } from './labelled-file.ts'
import { learnedScore, type LearnedMeasure } from './macro-score.ts'
import { plainText } from '../language/plain-text.ts'
import { SENTENCE_MEAN, sentenceMeans } from '../language/sentence-means.ts'
import type { Encoder } from '../ports/encoder.ts'
import { inBatches } from './in-batches.ts'
import { keptLeads, vectorAt, type LeadEncoder } from './kept-leads.ts'

/** Emergent's labels. A headline that questions the claim counts as `observing`, like one that only reports it. */
const OF_HEADLINES: Readonly<Record<Stance, string>> = {
  support: 'for',
  deny: 'against',
  query: 'observing',
  comment: 'observing',
}

const BATCH_SIZE = 256

/** Macro-F1 of the predicted stances, on a file of RumourEval threads or Emergent headlines, optionally gzipped. */
export async function scoreStanceFile(
  { model, vectors }: { readonly model: LearnedStance; readonly vectors: Pick<StanceVectors, 'means'> },
  file: Buffer,
): Promise<LearnedMeasure> {
  const { kind, questions } = stanceFile(textOf(file))
  const labels = await inBatches(questions, BATCH_SIZE, (batch) =>
    labelsOf({ model, vectors }, { kind, questions: batch }),
  )
  const judged = questions.flatMap(({ gold, group }, i) =>
    gold === null ? [] : [{ gold, answer: labels[i] ?? '', isLearned: model.learned.has(group) }],
  )
  return { ...learnedScore(judged), predictions: asJsonLines(questions.map(({ id }, i) => ({ id, label: labels[i] }))) }
}

async function labelsOf(
  { model, vectors }: Parameters<typeof scoreStanceFile>[0],
  { kind, questions }: StanceFile,
): Promise<string[]> {
  const texts = [...new Set(questions.flatMap(textsOf))]
  const made = await vectors.means(texts)
  const said = new Map(texts.map((text, i): [string, EmbeddedText] => [text, { text, vector: vectorAt(made, i) }]))
  const of = (text: string | null): EmbeddedText | null => (text === null ? null : (said.get(text) ?? null))
  return questions.map(({ post, parent, claim }) => {
    const { stance } = model.stanceOf({
      post: of(post) ?? { text: post, vector: new Float32Array() },
      parent: of(parent),
      claim: of(claim),
    })
    return kind === 'headline' ? OF_HEADLINES[stance] : stance
  })
}

const textsOf = ({ post, parent, claim }: StanceQuestion): string[] =>
  [post, parent, claim].filter((text) => text !== null)

/** One stance to predict, with its texts as plain text. */
export interface StanceQuestion {
  readonly id: string
  readonly post: string
  /** The post that it replies to; `null` if there is none or it is not in the file. */
  readonly parent: string | null
  /** The first post of its thread, or the claim that a headline reports; `null` for the first post itself. */
  readonly claim: string | null
  /** The label as in the file; `null` if there is none. */
  readonly gold: string | null
  /** Identifies the thread of a post, or the Emergent story of a headline. */
  readonly group: string
  /** When the thread began, in seconds since 1970; `null` if unknown. */
  readonly time: number | null
}

interface StanceFile {
  /** Posts of a thread take a stance in it; a headline takes a stance towards a claim. */
  readonly kind: 'thread' | 'headline'
  readonly questions: readonly StanceQuestion[]
}

const Post = z.object({
  id: z.string(),
  parent: z.string().nullable(),
  text: z.string(),
  stance: z.enum(['support', 'deny', 'query', 'comment']).nullish(),
  time: z.number().nullish(),
})

/** RumourEval 2017: a post, its replies, and the replies to these. */
const Thread = z.object({ thread: z.string(), posts: z.array(Post).min(1) })

/** Emergent: a headline and the claim it reports. */
const Headline = z.object({
  id: z.string(),
  title: z.string(),
  story: z.string(),
  claim: z.string(),
  stance: z.enum(['for', 'against', 'observing']).nullish(),
})

const Line = z.union([Thread, Headline], {
  error:
    'neither RumourEval (thread, posts of id, parent, text, stance) nor Emergent (id, title, story, claim, stance)',
})

/** Parses a labelled file of stances. All lines are of one kind; labels are optional. Throws `BadLine`. */
export function stanceFile(text: string): StanceFile {
  const rows = linesOf(text).flatMap((line, i) =>
    line.trim() === '' ? [] : [{ number: i + 1, row: jsonLine(line, i + 1, Line) }],
  )
  const kind = rows[0] !== undefined && 'posts' in rows[0].row ? 'thread' : 'headline'
  const questions = rows.flatMap(({ number, row }) => {
    if (('posts' in row ? 'thread' : 'headline') !== kind)
      throw new BadLine(number, 'another kind than the lines before')
    return 'posts' in row ? questionsOf(row, number) : [questionOf(row)]
  })
  return { kind, questions }
}

function questionsOf({ thread, posts }: z.infer<typeof Thread>, line: number): StanceQuestion[] {
  const texts = new Map(posts.map(({ id, text }) => [id, plainText(text)]))
  const root = posts.find(({ parent }) => parent === null)
  if (root === undefined) throw new BadLine(line, `thread ${thread} has no first post, one whose parent is null`)
  return posts.map(({ id, parent, text, stance }) => ({
    id,
    post: texts.get(id) ?? plainText(text),
    parent: parent === null ? null : (texts.get(parent) ?? null), // the text of a deleted post is not known
    claim: parent === null ? null : (texts.get(root.id) ?? null),
    gold: stance ?? null,
    group: thread,
    time: root.time ?? null,
  }))
}

const questionOf = ({ id, title, claim, story, stance }: z.infer<typeof Headline>): StanceQuestion => ({
  id,
  post: plainText(title),
  parent: null,
  claim: plainText(claim),
  gold: stance ?? null,
  group: story,
  time: null,
})

export interface StanceVectors {
  /**
   * The vectors of texts, in order, made as those of posts: the mean of the sentences, float32[384],
   * unit length.
   */
  readonly means: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  /** Writes the vectors encoded since the last call, if any. */
  readonly save: () => void
}

const ENCODED_AT_ONCE = 64

/** Keeps vectors across runs in a folder, so that measuring the same labelled sets again costs no model time. */
export function stanceVectors(encoder: Pick<Encoder, 'model' | 'dim' | 'sentences'>, folder: string): StanceVectors {
  const { model, dim } = encoder
  const leads: LeadEncoder['leads'] = (articles) => {
    const texts = articles.map(({ body }) => body)
    return inBatches(texts, ENCODED_AT_ONCE, (batch) => sentenceMeans(encoder, batch))
  }
  const kept = keptLeads({ model: `${model}-${SENTENCE_MEAN}`, dim, leads }, folder)
  return {
    means: (texts) => kept.leads(texts.map((body) => ({ title: '', body }))),
    save: () => kept.save(),
  }
}
