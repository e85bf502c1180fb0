import { PLATFORMS, type PostObserved } from '../../events/discourse.ts'
import { characters, isArticleUrl, isMoment, isNamespace, parseMoment } from './articles.ts'

/** Stable names: they are used as metric labels, dead-letter reasons and reasons in import reports. */
export type PostRefusal =
  | 'namespace_invalid'
  | 'field_invalid'
  | 'platform_invalid'
  | 'created_at_invalid'
  | 'url_invalid'
  | 'text_missing'
  | 'text_too_long'

export type PostFields = Omit<PostObserved, 'event_id' | 'namespace'>

export interface PostFlaw {
  readonly reason: PostRefusal
  readonly field: string
}

export type PostIntake =
  { readonly kind: 'post'; readonly fields: PostFields } | ({ readonly kind: 'refused' } & PostFlaw)

/** Length of the longest post that a platform accepts (Reddit). */
const MAX_POST_CHARACTERS = 40_000
const MAX_URL_LENGTH = 2_048
const MAX_NAME_LENGTH = 256

/**
 * The first flaw of a post, whatever its source; the same in imports and, for other producers, at the stage `enriched`.
 */
export const postFlaw = (post: Omit<PostObserved, 'event_id'>): PostFlaw | null =>
  isNamespace(post.namespace) ? fieldsFlaw(post) : flaw('namespace_invalid', 'namespace')

/** A deletion only has to identify the post. */
const fieldsFlaw = (post: PostFields): PostFlaw | null =>
  identityFlaw(post) ?? (post.deleted ? null : (momentFlaw(post) ?? nameFlaw(post) ?? linkFlaw(post) ?? textFlaw(post)))

function identityFlaw({ platform, post_id }: PostFields): PostFlaw | null {
  if (!PLATFORMS.includes(platform)) return flaw('platform_invalid', 'platform')
  return post_id.trim() === '' || post_id.length > MAX_NAME_LENGTH ? flaw('field_invalid', 'post_id') : null
}

const momentFlaw = ({ created_at }: PostFields): PostFlaw | null =>
  isMoment(created_at) ? null : flaw('created_at_invalid', 'created_at')

function nameFlaw(post: PostFields): PostFlaw | null {
  const long = NAMES.find((name) => (post[name]?.length ?? 0) > MAX_NAME_LENGTH)
  return long === undefined ? null : flaw('field_invalid', long)
}

function linkFlaw(post: PostFields): PostFlaw | null {
  const bad = LINKS.find((name) => !isLink(post[name]))
  return bad === undefined ? null : flaw('url_invalid', bad)
}

function textFlaw({ text }: PostFields): PostFlaw | null {
  if (text.trim() === '') return flaw('text_missing', 'text')
  return characters(text.trim()) > MAX_POST_CHARACTERS ? flaw('text_too_long', 'text') : null
}

const NAMES = ['author', 'reply_to', 'cluster_id'] as const
const LINKS = ['url', 'article_url'] as const
const isLink = (url: string | null): boolean => url === null || (url.length <= MAX_URL_LENGTH && isArticleUrl(url))
const flaw = (reason: PostRefusal, field: string): PostFlaw => ({ reason, field })

/** A post's fields as read from a file (other fields are ignored), or why they are rejected. */
export function postIntake(given: Readonly<Record<string, unknown>>): PostIntake {
  const wrong = wrongType(given)
  if (wrong !== undefined) return refused(flaw('field_invalid', wrong))
  const platform = PLATFORMS.find((name) => name === given['platform'])
  if (platform === undefined) return refused(flaw('platform_invalid', 'platform'))
  const deleted = given['deleted'] === true
  const created_at = momentOf(string(given, 'created_at'), deleted)
  if (created_at === null) return refused(flaw('created_at_invalid', 'created_at'))
  const score = given['score'] ?? null
  if (!isCount(score)) return refused(flaw('field_invalid', 'score'))

  const fields = { platform, created_at, score, ...strings(given), deleted }
  const found = fieldsFlaw(fields)
  return found === null ? { kind: 'post', fields } : refused(found)
}

/**
 * The first field of a wrong type. `"true"` is not a boolean: a post that should be deleted must not be accepted as a
 * post.
 */
const wrongType = (given: Readonly<Record<string, unknown>>): string | undefined =>
  STRINGS.find((name) => !['string', 'undefined'].includes(typeof (given[name] ?? undefined))) ??
  (['boolean', 'undefined'].includes(typeof (given['deleted'] ?? undefined)) ? undefined : 'deleted')

/** A deletion may omit when the post was written. */
const momentOf = (text: string | null, deleted: boolean): number | null =>
  text === null && deleted ? 0 : parseMoment(text ?? '')

const strings = (given: Readonly<Record<string, unknown>>) => ({
  post_id: string(given, 'post_id') ?? '',
  url: string(given, 'url'),
  author: string(given, 'author'),
  text: string(given, 'text') ?? '',
  reply_to: string(given, 'reply_to'),
  cluster_id: string(given, 'cluster_id'),
  article_url: string(given, 'article_url'),
})

const STRINGS = ['post_id', 'url', 'author', 'text', 'created_at', 'reply_to', 'cluster_id', 'article_url'] as const

const isCount = (value: unknown): value is number | null =>
  value === null || (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31)

const refused = (found: PostFlaw): PostIntake => ({ kind: 'refused', ...found })

/** Trimmed; `null` if the field is missing, empty or not a string. */
function string(given: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = given[name]
  const trimmed = typeof value === 'string' ? value.trim() : ''
  return trimmed === '' ? null : trimmed
}
