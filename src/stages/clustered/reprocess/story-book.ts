import type { ArticleClustered, SubjectListing } from '../../../events/ledger.ts'

/** Where the ledger has an article. */
export interface Belonging {
  readonly story: string
  /** Null: no subject page lists it. */
  readonly subject: string | null
  /** Event time of its newest revision, milliseconds since 1970. */
  readonly time: number
}

/** The stories of one namespace by the ledger alone: every article that was ever placed, however long ago. */
export interface StoryBook {
  readonly articles: Map<string, Belonging>
  /** Every id that a story ever had. */
  readonly given: Set<string>
  /** Event time of the newest article. */
  newest: number
}

/** By namespace. */
export type Library = Map<string, StoryBook>

/** The fold of the ledger: the newest word on an article holds. The library is owned and changed. */
export function read(library: Library, { namespace, ...line }: ArticleClustered): Library {
  const book: StoryBook = library.get(namespace) ?? { articles: new Map(), given: new Set(), newest: -Infinity }
  library.set(namespace, book)
  if (line.change === null) {
    place(book, line)
    book.newest = Math.max(book.newest, line.occurred_at)
  } else if (line.change.correction?.refused == null) {
    for (const article of line.change.article_ids) {
      const known = book.articles.get(article)
      if (known !== undefined) book.articles.set(article, { ...known, story: line.cluster_id })
    }
    list(book, line.change.subjects)
  }
  if (line.cluster_id !== '') book.given.add(line.cluster_id)
  return library
}

function place({ articles }: StoryBook, line: Omit<ArticleClustered, 'namespace'>): void {
  const subject = line.subject_id ?? articles.get(line.article_id)?.subject ?? null
  articles.set(line.article_id, { story: line.cluster_id, subject, time: line.occurred_at })
}

function list({ articles }: StoryBook, subjects: readonly SubjectListing[]): void {
  for (const { subject_id: subject, article_ids } of subjects) {
    for (const article of article_ids) {
      const known = articles.get(article)
      if (known !== undefined) articles.set(article, { ...known, subject })
    }
  }
}
