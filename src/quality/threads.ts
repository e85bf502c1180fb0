import { z } from 'zod'
import { ratio } from '../domain/quality/b-cubed.ts'
import type { Entity } from '../events/articles.ts'
import { entitiesOf } from '../language/analysis/entities-of.ts'
import { namedSpans } from '../language/recogniser/named-spans.ts'
import { quickTags, type QuickFiles } from '../language/recogniser/quick-tagger.ts'
import { readWords } from '../language/recogniser/words.ts'
import { sentences } from '../language/sentences.ts'
import type { ClusteredStage } from '../stages/clustered/stage.ts'
import type { LinkedStage } from '../stages/linked/stage.ts'
import { checkKnown, labelledArticles, pairsOf, type LabelledArticle } from './labelled-articles.ts'
import { jsonLines } from './labelled-file.ts'
import { memoryStageRun } from './memory-stage-run.ts'
import { replayed, type ReadingOptions } from './stories.ts'
import { ledgerInput, type LedgerLine } from './story-replay.ts'

interface ThreadScoreOptions extends ReadingOptions {
  readonly stage: ClusteredStage
  readonly linked: LinkedStage
  /** The files for finding entities. */
  readonly files: QuickFiles
}

/**
 * Runs a file of articles through the clusterer and the stage that links stories, and scores the threads against
 * affairs.
 */
export async function scoreThreads(
  file: string,
  affairs: readonly Affair[],
  { stage, linked, files, ...reading }: ThreadScoreOptions,
) {
  const articles = await labelledArticles(file)
  checkMembers(affairs, new Set(articles.map(({ id }) => id)))
  const entities = (article: LabelledArticle) => quickEntities(files, article)
  const { replay, ids } = await replayed(articles, stage, { ...reading, entities })

  const lines = replay.ledger.length
  const begun = performance.now()
  const threads = threadsOf(linked, replay.ledger, reading.arrival)
  const line_ms = (performance.now() - begun) / Math.max(1, lines)
  const predictions = articles.map(({ id }, i) => {
    const story = replay.storyOf(ids[i] ?? '') ?? id
    return { id, story, thread: threads.get(story) ?? null }
  })
  const byArticle = new Map(predictions.map((one) => [one.id, one]))
  return {
    learn: scoreAffairs(affairs, { half: 'learn', byArticle }),
    measure: scoreAffairs(affairs, { half: 'measure', byArticle }),
    sizes: threadSizes(predictions),
    /** Milliseconds of the stage that links stories, per ledger event. */
    line_ms,
    lines,
    predictions,
  }
}

export type ThreadScore = Awaited<ReturnType<typeof scoreThreads>>

/** The sizes of all threads: figures based on pairs could hide a few very large ones. */
export function threadSizes(predictions: readonly ArticleThread[]) {
  const threadOf = new Map(predictions.map(({ story, thread }) => [story, thread]))
  const sizes = new Map<string, number>()
  for (const thread of threadOf.values()) if (thread !== null) sizes.set(thread, (sizes.get(thread) ?? 0) + 1)
  return {
    stories: threadOf.size,
    threads: sizes.size,
    /** Number of stories that are in a thread. */
    in_threads: [...sizes.values()].reduce((sum, size) => sum + size, 0),
    /** Number of stories in the largest thread. */
    largest: Math.max(0, ...sizes.values()),
  }
}

const Line = z.object({
  affair: z.string(),
  half: z.enum(['learn', 'measure']),
  /** Article ids; an article is a member of one affair only. */
  members: z.array(z.string()),
  /** Ids of articles that share its people, place or subject but are not members. */
  near_misses: z.array(z.string()),
})

/** A long-running affair and the articles that an annotator assigned to it. Articles in neither list are not judged. */
type Affair = Readonly<z.infer<typeof Line>>

/** Reads affairs from JSON lines. Throws `BadLine`. */
export const affairsOf = (text: string): readonly Affair[] => jsonLines(text, Line)

/** The final story and thread of an article. */
export interface ArticleThread {
  readonly story: string
  /** `null` if its story is in no thread. */
  readonly thread: string | null
}

/** Throws if an affair names an unknown article. */
export const checkMembers = (affairs: readonly Affair[], known: ReadonlySet<string>): void =>
  checkKnown(
    'affairs',
    affairs.flatMap(({ members, near_misses }) => [...members, ...near_misses]),
    known,
  )

/**
 * Scores stories and threads against the affairs of one half. A judged pair combines a member of such an affair with
 * another member (correct), or with one of its near misses or a member of any other affair in either half (incorrect).
 * One thread of everything therefore has a precision near 0, and threads of one story each have no recall. Values are
 * shares of pairs of articles, 0 to 1.
 */
export function scoreAffairs(
  affairs: readonly Affair[],
  { half, byArticle }: { readonly half: Affair['half']; readonly byArticle: ReadonlyMap<string, ArticleThread> },
) {
  const scored = affairs.filter((affair) => affair.half === half)
  const areTogether = ([one, other]: AffairsPair): boolean => isTogether(byArticle.get(one), byArticle.get(other))
  const own = scored.flatMap(({ members }) => pairsOf(members))
  const near = scored.flatMap(({ members, near_misses }) => pairsAcross(members, near_misses))
  const others = scored.flatMap((one) => pairsAcross(one.members, othersThan(one, affairs)))

  const right = own.filter(areTogether).length
  const [nearWrong, otherWrong] = [near.filter(areTogether).length, others.filter(areTogether).length]
  const inStory = own.filter(([one, other]) => isOneStory(byArticle.get(one), byArticle.get(other))).length
  return {
    /** Of the pairs of members of one affair, the share in one story. */
    in_story: ratio(inStory, own.length),
    /** Of the same pairs, the share in one story or thread. */
    recall: ratio(right, own.length),
    /** Of the judged pairs that are in one story or thread, the share that belong to one affair. */
    precision: ratio(right, right + nearWrong + otherWrong),
    /** The same without near misses: all articles are members of an affair. */
    precision_of_members: ratio(right, right + otherWrong),
    /** Number of pairs of members of one affair. */
    pairs: own.length,
  }
}

export type AffairScore = ReturnType<typeof scoreAffairs>

type AffairsPair = readonly [string, string]

const pairsAcross = (ids: readonly string[], others: readonly string[]): readonly AffairsPair[] =>
  ids.flatMap((id) => others.map((other) => [id, other] as const))

/** Members of all other affairs, except those that are near misses of this one. */
function othersThan({ affair, near_misses }: Affair, affairs: readonly Affair[]): readonly string[] {
  const near = new Set(near_misses)
  return affairs
    .filter((other) => other.affair !== affair)
    .flatMap(({ members }) => members.filter((id) => !near.has(id)))
}

const isOneStory = (one: ArticleThread | undefined, other: ArticleThread | undefined): boolean =>
  one !== undefined && one.story === other?.story

const isTogether = (one: ArticleThread | undefined, other: ArticleThread | undefined): boolean =>
  isOneStory(one, other) || (one !== undefined && one.thread !== null && one.thread === other?.thread)

/** The thread of each story that is in one at the end of a ledger. */
function threadsOf(stage: LinkedStage, ledger: readonly LedgerLine[], arrival: number): ReadonlyMap<string, string> {
  const decide = memoryStageRun(stage)
  const events = ledger.flatMap((line, offset) => decide(ledgerInput(line, offset, arrival)))
  const threads = new Map<string, string>()
  for (const { kind, action, source, thread_id } of events) {
    if (kind !== 'thread' || thread_id === null) continue
    if (action === 'removed') threads.delete(source)
    else threads.set(source, thread_id)
  }
  return threads
}

/**
 * Entities of an article, found without a language model so that a whole file is measured in minutes. Sentiments are 0.
 */
function quickEntities(files: QuickFiles, { text, published }: LabelledArticle): Entity[] {
  const spans = sentences(text)
  const tagged = readWords(text, spans)
  const tags = tagged.map(({ words }) => quickTags(files, words.texts))
  return entitiesOf(text, {
    sentences: spans.map((span) => ({ ...span, sentiment_score: 0 })),
    names: namedSpans(text, { read: tagged, tags }, files).flat(),
    targetScores: [],
    tagged,
    ...{ language: 'en', published, lists: files },
  })
}
