import { canonicalUrl } from '../../../events/canonical-url.ts'
import type { PostFields } from '../../../domain/intake/posts.ts'
import type { StoryTarget } from '../targets.ts'
import { claimOf, inWords, mayBeAbout, parted } from '../words.ts'
import type { PostArticles } from './post.ts'

/** The stories of a namespace that a stream of all posts is held against, found by words instead of one after the other. */
export class StoriesInView {
  /** Canonical addresses of their articles. */
  readonly articles: PostArticles
  /** The longest word of each term that must be there, to the stories it may lead to. */
  private readonly byWord = new Map<string, StoryTarget[]>()

  constructor(targets: readonly StoryTarget[]) {
    this.articles = new Set(targets.flatMap(({ urls }) => urls.flatMap((url) => canonicalUrl(url) ?? [])))
    for (const target of targets) {
      for (const word of needed(target)) this.byWord.set(word, [...(this.byWord.get(word) ?? []), target])
    }
  }

  /** The post with the story it says it is about, where its words leave no doubt; null: it is about none of them. */
  about(post: PostFields): PostFields | null {
    if (this.articles.has(canonicalUrl(post.article_url ?? '') ?? '')) return post
    const stories = [...this.candidates(post.text)].filter((target) => mayBeAbout(target, post.text))
    const [only, another] = stories
    if (only === undefined) return null
    return another === undefined ? { ...post, cluster_id: claimOf(only, post.text) } : post
  }

  private candidates(text: string): ReadonlySet<StoryTarget> {
    return new Set(
      inWords(text)
        .split(' ')
        .flatMap((word) => this.byWord.get(word) ?? []),
    )
  }
}

/** One word of each name; of a story that names nobody, of its first term. No post without any of them is about it. */
function needed(target: StoryTarget): ReadonlySet<string> {
  const { names } = parted(target)
  return new Set((names.length > 0 ? names : target.terms.slice(0, 1)).map(longestWord))
}

const longestWord = (term: string): string =>
  inWords(term)
    .trim()
    .split(' ')
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')
