import type { PostFields } from '../../src/domain/intake/posts.ts'
import type { StoryTarget } from '../../src/sources/connectors/platform.ts'
import { A_NOON } from './api.ts'

/** The story that connectors look for. */
export const aTarget = (over: Partial<StoryTarget> = {}): StoryTarget => ({
  namespace: 'shared',
  cluster_id: 'sto_bridge',
  title: 'Harbour bridge closes',
  article_count: 5,
  origins: 5,
  last_published: A_NOON - 3_600_000,
  entities: ['Ada Quill', 'Porthaven'],
  urls: ['https://news.example/bridge'],
  priority: 'high',
  terms: ['Ada Quill', 'Porthaven', 'harbour', 'bridge'],
  ...over,
})

/** A post as a platform's mapping gives it. */
export const aFoundPost = (over: Partial<PostFields> = {}): PostFields => ({
  platform: 'reddit',
  post_id: 't3_1',
  url: `https://www.reddit.com/r/porthaven/comments/${over.post_id ?? 't3_1'}/`,
  author: 'wren',
  text: 'Ada Quill knew it.',
  created_at: A_NOON - 3_600_000,
  reply_to: null,
  cluster_id: null,
  article_url: null,
  score: 1,
  deleted: false,
  ...over,
})
