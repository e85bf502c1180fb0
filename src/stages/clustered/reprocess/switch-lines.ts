import { dayName, dayOf } from '../../../domain/days.ts'
import { clusterId, derivedId } from '../../../events/ids.ts'
import { NO_MEMBER, type ArticleClustered, type SubjectListing } from '../../../events/ledger.ts'
import { STAGES } from '../../../events/stages.ts'
import { NO_CHANGE } from '../ledger.ts'
import { blocksOf, type ClusteredBlock, type ClusteredBlocksMove, keptIds, type ReplacedArticle } from './kept-ids.ts'

/** Articles that a curator assigned. They stay, regardless of the new version. */
export type Pinned = (namespace: string, article: string) => boolean

/** Every article of a namespace, with its story in the ledger and after the switch. */
export interface Switched {
  readonly namespace: string
  readonly moves: readonly ClusteredBlocksMove[]
  /** Articles that the new version lists on another subject page, by page. */
  readonly subjects: readonly SubjectListing[]
  readonly book: NamespaceLedger
  /** Articles that only one of the two versions has. */
  readonly only_before: number
  readonly only_after: number
}

/** The ledgers of two versions, and the pinned articles. */
export interface StageVersions {
  readonly before: Ledgers
  readonly after: Ledgers
  readonly pinned: Pinned
  /** The name of the new version. */
  readonly version: string
}

/** The result of the switch for each namespace, under the published ids. */
export const switched = ({ before, after, pinned, version }: StageVersions): readonly Switched[] =>
  [...before].map(([namespace, book]) => {
    const next = after.get(namespace)?.articles ?? new Map<string, never>()
    const inOrder = [...book.articles].sort(([a, m], [b, n]) => m.time - n.time || (a < b ? -1 : 1))
    const placed = inOrder.map(([article, { story }]): ReplacedArticle => ({
      article,
      before: story,
      after: next.get(article)?.story ?? null,
      pinned: pinned(namespace, article),
    }))
    const ids = keptIds(placed, {
      own: (article) => clusterId(namespace, article),
      given: book.given,
      spare: (article) => clusterId(namespace, `${article}\nreprocessed ${version}`),
    })
    return {
      namespace,
      book,
      moves: placed.map(({ article, before: from }) => ({ article, from, to: ids.get(article) ?? from })),
      subjects: subjectsOf(book, next),
      only_before: placed.filter(({ after: story }) => story === null).length,
      only_after: [...next.keys()].filter((article) => !book.articles.has(article)).length,
    }
  })

function subjectsOf(before: NamespaceLedger, after: NamespaceLedger['articles']): SubjectListing[] {
  const listed = new Map<string, string[]>()
  for (const [article, { subject }] of after) {
    const known = before.articles.get(article)
    if (known === undefined || subject === null || subject === known.subject) continue
    const articles = listed.get(subject) ?? []
    listed.set(subject, articles)
    articles.push(article)
  }
  return [...listed]
    .map(([subject_id, article_ids]) => ({ subject_id, article_ids: article_ids.sort() }))
    .sort((a, b) => (a.subject_id < b.subject_id ? -1 : 1))
}

/** The switch that the records belong to. */
export interface SwitchOptions {
  readonly version: string
  /** End offset of the ledger before the switch. It keeps the event ids of two switches distinct. */
  readonly ledgerEnd: number
  /** Algorithm and weights of the new version, as recorded in its decisions. */
  readonly versions: Readonly<Record<string, string>>
}

/**
 * The ledger entries of a switch. They hold from the event time of the namespace's newest article on: before it,
 * `as_of` still shows the stories of the old version.
 */
export function switchLines(
  { namespace, moves, subjects, book }: Switched,
  options: SwitchOptions,
): readonly ArticleClustered[] {
  const { version, ledgerEnd, versions } = options
  const by = { stage: STAGES.clustered.stage, version }
  const line = (ordinal: number): ArticleClustered => ({
    event_id: derivedId(by, `reprocessed ${namespace} ${ledgerEnd}`, ordinal),
    namespace,
    occurred_at: book.newest,
    caused_by: null,
    produced_by: by,
    action: 'rebuilt',
    cluster_id: '',
    article_id: '',
    content_hash: '',
    decision: {
      rule: 'reprocessed',
      chosen: null,
      runner_up: null,
      threshold: 0,
      versions: { ...versions, reprocessed: version },
    },
    origin: null,
    member: NO_MEMBER,
    change: { ...NO_CHANGE, rebuild_day: dayName(dayOf(book.newest)) },
    assignment_confidence: null,
    subject_id: null,
  })
  const blocks = blocksOf(moves).map((block, ordinal): ArticleClustered => {
    const { decision, change, ...rest } = line(ordinal)
    const chosen = { cluster_id: block.to, score: 1, features: featuresOf(block, moves) }
    return {
      ...rest,
      action: block.action,
      cluster_id: block.to,
      decision: { ...decision, chosen },
      change: { ...NO_CHANGE, ...change, from_cluster_id: block.from, article_ids: block.articles },
    }
  })
  if (subjects.length === 0) return blocks
  const last = line(blocks.length)
  return [...blocks, { ...last, change: { ...NO_CHANGE, ...last.change, subjects } }]
}

/** The number of articles that move, and the number that stay in the target story. */
const featuresOf = (
  { articles, to }: ClusteredBlock,
  moves: readonly ClusteredBlocksMove[],
): Record<string, number> => ({
  articles: articles.length,
  stayed: moves.filter((move) => move.to === to && move.from === to).length,
})

/** The assignment of an article in the ledger. */
interface LedgerAssignment {
  readonly story: string
  /** `null` if no subject page lists it. */
  readonly subject: string | null
  /** Event time of its newest revision, milliseconds since 1970. */
  readonly time: number
}

/** The stories of one namespace according to the ledger alone: every article ever assigned, however long ago. */
interface NamespaceLedger {
  readonly articles: Map<string, LedgerAssignment>
  /** Every id that a story ever had. */
  readonly given: Set<string>
  /** Event time of the newest article. */
  newest: number
}

/** By namespace. */
export type Ledgers = Map<string, NamespaceLedger>

/** Applies one ledger entry: the newest entry of an article wins. The ledger is owned and mutated. */
export function applyEntry(ledger: Ledgers, { namespace, ...line }: ArticleClustered): Ledgers {
  const book: NamespaceLedger = ledger.get(namespace) ?? { articles: new Map(), given: new Set(), newest: -Infinity }
  ledger.set(namespace, book)
  if (line.change === null) {
    assign(book, line)
    book.newest = Math.max(book.newest, line.occurred_at)
  } else if (line.change.correction?.refused == null) {
    for (const article of line.change.article_ids) {
      const known = book.articles.get(article)
      if (known !== undefined) book.articles.set(article, { ...known, story: line.cluster_id })
    }
    list(book, line.change.subjects)
  }
  if (line.cluster_id !== '') book.given.add(line.cluster_id)
  return ledger
}

function assign({ articles }: NamespaceLedger, line: Omit<ArticleClustered, 'namespace'>): void {
  const subject = line.subject_id ?? articles.get(line.article_id)?.subject ?? null
  articles.set(line.article_id, { story: line.cluster_id, subject, time: line.occurred_at })
}

function list({ articles }: NamespaceLedger, subjects: readonly SubjectListing[]): void {
  for (const { subject_id: subject, article_ids } of subjects) {
    for (const article of article_ids) {
      const known = articles.get(article)
      if (known !== undefined) articles.set(article, { ...known, subject })
    }
  }
}
