import type { Platform, PostObserved } from './discourse.ts'
import { isArticleUrl, parseMoment } from './intake-rules.ts'

export type PostRefusal =
  'field_invalid' | 'platform_invalid' | 'created_at_invalid' | 'url_invalid' | 'text_missing' | 'text_too_long'

export type PostFields = Omit<PostObserved, 'event_id' | 'namespace'>

export type PostIntake =
  | { readonly kind: 'post'; readonly fields: PostFields }
  | { readonly kind: 'refused'; readonly reason: PostRefusal; readonly field: string }

/** Longer than any of the platforms allows. */
const MAX_POST_CHARACTERS = 100_000

/** A post's fields as a producer wrote them (other fields ignored), or why they are refused. */
export function postIntake(given: Readonly<Record<string, unknown>>): PostIntake {
  const wrong = STRINGS.find((name) => !['string', 'undefined'].includes(typeof (given[name] ?? undefined)))
  if (wrong !== undefined) return refused('field_invalid', wrong)

  const platform = PLATFORMS.find((name) => name === given['platform'])
  if (platform === undefined) return refused('platform_invalid', 'platform')
  const [post_id, created_at] = [string(given, 'post_id'), parseMoment(string(given, 'created_at') ?? '')]
  if (post_id === null) return refused('field_invalid', 'post_id')
  if (created_at === null) return refused('created_at_invalid', 'created_at')
  return withText(given, { platform, post_id, created_at })
}

const STRINGS = ['post_id', 'url', 'author', 'text', 'created_at', 'reply_to', 'cluster_id', 'article_url'] as const
const PLATFORMS: readonly Platform[] = ['reddit', 'bluesky', 'twitter']

function withText(
  given: Readonly<Record<string, unknown>>,
  known: Pick<PostFields, 'platform' | 'post_id' | 'created_at'>,
): PostIntake {
  const deleted = given['deleted'] === true
  const text = string(given, 'text') ?? ''
  if (text === '' && !deleted) return refused('text_missing', 'text')
  if (text.length > MAX_POST_CHARACTERS) return refused('text_too_long', 'text')

  const links = { url: string(given, 'url'), article_url: string(given, 'article_url') }
  const bad = LINKS.find((name) => links[name] !== null && !isArticleUrl(links[name]))
  if (bad !== undefined) return refused('url_invalid', bad)

  const { score } = given
  if (!isCount(score)) return refused('field_invalid', 'score')
  const [author, reply_to, cluster_id] = [
    string(given, 'author'),
    string(given, 'reply_to'),
    string(given, 'cluster_id'),
  ]
  return {
    kind: 'post',
    fields: { ...known, ...links, author, text, reply_to, cluster_id, score: score ?? null, deleted },
  }
}

const LINKS = ['url', 'article_url'] as const

const isCount = (value: unknown): value is number | null | undefined =>
  value === undefined ||
  value === null ||
  (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31)

const refused = (reason: PostRefusal, field: string): PostIntake => ({ kind: 'refused', reason, field })

/** Trimmed; an empty field is a missing one. */
function string(given: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = given[name]
  const trimmed = typeof value === 'string' ? value.trim() : ''
  return trimmed === '' ? null : trimmed
}
