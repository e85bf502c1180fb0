import { z } from 'zod'
import { plainText } from '../language/plain-text.ts'
import { BadLine, jsonLine, linesOf } from './labelled-file.ts'

/** One judgement that is asked for, its texts as a reader sees them. */
export interface StanceQuestion {
  readonly id: string
  readonly post: string
  /** What it answers; null: nothing in the file. */
  readonly parent: string | null
  /** What its thread began with, or what it is held against; null: it began the thread itself. */
  readonly claim: string | null
  /** In the file's own words; null: nobody has judged. */
  readonly gold: string | null
  /** Posts or headlines of one group are about one thing: a thread's first post, a claim. */
  readonly group: string
  /** The thread's beginning, in seconds since 1970; null: not known. */
  readonly time: number | null
}

export interface StanceFile {
  /** A thread's posts take a stance in it; a headline reports a claim. */
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

/** RumourEval 2017: a post, what was answered to it, and to the answers. */
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

/** A labelled file of stances, one kind of line; the labels may be absent. */
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
    parent: parent === null ? null : (texts.get(parent) ?? null), // what was deleted cannot be read
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
