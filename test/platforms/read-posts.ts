import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { PLATFORMS } from '../../src/events/discourse.ts'
import type { StandInPost } from './world.ts'

const Line = z.object({
  platform: z.enum(PLATFORMS),
  post_id: z.string(),
  author: z.string(),
  text: z.string(),
  created_at: z.string(),
  reply_to: z.string().nullable(),
  article_url: z.string().nullable(),
  score: z.number().nullable(),
  deleted: z.boolean(),
})

/** Lines as `story import posts` takes them. Who answers carries no link: on the platforms the first post does. */
export const readPosts = (file: string): StandInPost[] =>
  linesOf(file).map((line) => {
    const post = Line.parse(line)
    return {
      platform: post.platform,
      id: post.post_id,
      parent: post.reply_to,
      author: post.author,
      text: post.text,
      created_at: Date.parse(post.created_at),
      score: post.score ?? 0,
      link: post.reply_to === null ? post.article_url : null,
      deleted: post.deleted,
    }
  })

const Thread = z.object({
  posts: z.array(z.object({ id: z.string(), parent: z.string().nullable(), text: z.string(), time: z.number() })),
})

/** Threads of RumourEval 2017 as posts of X; the set names no accounts, so each post has one of its own. */
export const readRumourEval = (file: string): StandInPost[] =>
  linesOf(file).flatMap((line) =>
    Thread.parse(line).posts.map(({ id, parent, text, time }) => ({
      platform: 'twitter' as const,
      id,
      parent,
      author: `author_of_${id}`,
      text,
      created_at: time * 1000,
      score: 0,
      link: null,
      deleted: false,
    })),
  )

/** As if the first post of every thread had been written at `moment`, with the distances within the threads kept. */
export function threadsMovedTo(moment: number, posts: readonly StandInPost[]): StandInPost[] {
  const byId = new Map(posts.map((post) => [`${post.platform}/${post.id}`, post]))
  const root = (post: StandInPost): StandInPost => {
    const parent = byId.get(`${post.platform}/${post.parent ?? ''}`)
    return parent === undefined ? post : root(parent)
  }
  return posts.map((post) => ({ ...post, created_at: moment + post.created_at - root(post).created_at }))
}

function linesOf(file: string): unknown[] {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line))
}
