import { dayName } from '../../../domain/days.ts'
import { clusterId, subjectId } from '../../../events/ids.ts'
import type { Steps } from '../../../state/steps.ts'
import { NO_CHANGE, type ChangedStories } from '../ledger.ts'
import type { ClusteredStories } from '../memory.ts'
import type { ClusteringModel, Weights } from '../../../language/clustering/model.ts'
import type { RememberedMember } from '../changelog.ts'
import { inEnglishOrAll } from '../pair.ts'
import { averageLinkage, type Tree } from './linkage.ts'
import { sampled, sampledMeans } from './link-means.ts'
import { strongLinks, type ClusteredLinks } from './links.ts'
import {
  type MemberPlacement,
  areApart,
  inOrder,
  isInEnglish,
  usesCohesion,
  usesSize,
  sidesOf,
  type Unit,
} from './unit.ts'
import { reasonOf, type RebuildInput } from './reasons.ts'
import { isIn, regionOf, type DaySpan } from './region.ts'
import { SubjectMeans } from './subject-means.ts'
import { changes, storyIds, listings, subjectIds } from './regroup.ts'

export interface DayRebuild {
  readonly namespace: string
  readonly stories: ClusteredStories
  /** Updated in place: the next day is rebuilt from the result of this one. */
  readonly placing: MemberPlacement
  /** Links computed for the previous day are reused. */
  readonly links: ClusteredLinks
  readonly model: Pick<ClusteringModel, 'weights' | 'versions' | 'mu'>
}

/** A change without its confidence, which is computed once all stories are final. */
export type Uncertain = Omit<ChangedStories, 'assignment_confidence'>

/** An event day, and articles on it or soon after it that arrived since its last recluster. */
interface ChangedDay {
  readonly day: number
  readonly changed: readonly RememberedMember[]
}

interface RebuiltArticles {
  readonly changes: readonly Uncertain[]
  /** The number of articles that were grouped. */
  readonly articles: number
}

/**
 * Reclusters the articles that arrived and the stories that they are linked to, by average linkage over all of their
 * articles of the days around it. The groups of new articles do not depend on the order of arrival.
 */
export function* rebuildDay(
  { day, changed }: ChangedDay,
  { namespace, stories, placing, links, model }: DayRebuild,
): Steps<RebuiltArticles> {
  const { weights } = model
  const { window_days, most_articles: most, older_compared: compared } = weights.rebuild
  const window = { from: day - window_days + 1, to: day + window_days - 1 }
  const region = yield* regionOf(changed, { index: stories.index, placing, window, model })
  const regrouped = { ids: region.stories, changed: new Set(changed), placing }
  const units = unitsOf(regrouped, { ...window, most, compared })
  const grouped = yield* groupDay(units, region.others.map(wholeUnit), { links, weights })
  const groups = grouped.trees.map((tree) => articlesOf(tree.nodes, grouped))
  const before = {
    namespace,
    storyOf: (member: RememberedMember) => placing.storyOf(member),
    sizeOf: (id: string) => [...placing.membersOf(id)].length,
  }
  const ids = storyIds(groups, before, ({ articleId }) => clusterId(namespace, `${articleId}\n${dayName(day)}`))
  const found = changes(groups, ids, before)
  for (const { articles, to } of found) placing.move(articles, to)
  const moves: Uncertain[] = []
  for (const block of found) {
    yield
    moves.push({
      action: block.action,
      cluster_id: block.to,
      occurred_at: Math.max(newest(grouped, block.group), newest(grouped, ids.indexOf(block.from))),
      decision: {
        ...reasonOf(block, { ...grouped, ids }, weights),
        threshold: weights.rebuild.threshold,
        versions: model.versions,
      },
      change: {
        ...NO_CHANGE,
        from_cluster_id: block.from,
        article_ids: block.articles.map(({ articleId }) => articleId),
        rebuild_day: dayName(day),
      },
    })
  }
  yield
  return {
    changes: [...moves, ...listed(day, { grouped, namespace, placing, model })],
    articles: grouped.articles.length,
  }
}

/** Articles that represent a subject page or a story that is not grouped again. */
const REPRESENTING = 64

const wholeUnit = (articles: readonly RememberedMember[]): Unit => ({
  articles,
  compared: sampled([...articles.keys()], REPRESENTING).flatMap((i) => articles[i] ?? []),
})

interface RebuildListing extends Pick<DayRebuild, 'namespace' | 'placing' | 'model'> {
  readonly grouped: GroupedDay
}

/** One event with the articles added to subject pages; empty if there are none. It marks no day as rebuilt. */
function listed(
  day: number,
  { grouped, namespace, placing, model: { weights, versions } }: RebuildListing,
): Uncertain[] {
  const groups = grouped.subjects.map(({ nodes }) => articlesOf(nodes, grouped))
  const before = {
    namespace,
    storyOf: (member: RememberedMember) => placing.storyOf(member),
    subjectOf: (member: RememberedMember) => placing.subjectOf(member),
  }
  const spare = ({ articleId }: RememberedMember): string => subjectId(namespace, `${articleId}\n${dayName(day)}`)
  const found = listings(groups, subjectIds(groups, before, { ...weights.subject, spare }), before)
  if (found.length === 0) return []
  for (const { articles, subject_id } of found) placing.listOnSubjectPage(articles, subject_id)
  const subjects = found.map(({ subject_id, article_ids }) => ({ subject_id, article_ids }))
  const times = found.flatMap(({ articles }) => articles.map(({ features }) => features.time))
  return [
    {
      action: 'rebuilt',
      cluster_id: '',
      occurred_at: times.reduce((last, time) => Math.max(last, time), -Infinity),
      decision: { rule: 'linkage', chosen: null, runner_up: null, threshold: weights.subject.threshold, versions },
      change: { ...NO_CHANGE, rebuild_day: dayName(day), subjects },
    },
  ]
}

interface GroupedDay extends Omit<RebuildInput, 'ids'> {
  readonly units: readonly Unit[]
  /** By node. */
  readonly unitOf: readonly number[]
  /** Groups of whole stories. */
  readonly subjects: readonly Tree[]
}

/** The articles of a subject page that look for others, the newest: one link is enough to compare it with another page. */
const SEARCHING = 4

interface GroupingRules {
  readonly links: ClusteredLinks
  readonly weights: Pick<Weights, 'pair' | 'rebuild' | 'subject'>
}

/** Groups units into stories, and these stories and other units into subjects. */
function* groupDay(
  free: readonly Unit[],
  others: readonly Unit[],
  { links: known, weights }: GroupingRules,
): Steps<GroupedDay> {
  const units = [...free, ...others]
  const articles: RememberedMember[] = []
  const unitOf: number[] = []
  const groups = units.map(({ compared }, unit) =>
    compared.map((member) => {
      unitOf.push(unit)
      return articles.push(member) - 1
    }),
  )
  const [freeGroups, otherGroups] = [groups.slice(0, free.length), groups.slice(free.length)]
  const searching = [...freeGroups, ...otherGroups.map((group) => group.slice(-SEARCHING))].flat()
  const { event, subject } = known.between(articles)
  const nodeIsInEnglish = (node: number): boolean => isInEnglish(articles[node])
  const { threshold, sample } = weights.rebuild
  const { threshold: subjectThreshold } = weights.subject
  const criteria = [
    { link: event, threshold },
    { link: subject, threshold: subjectThreshold },
  ]
  const [links = [], alike = []] = yield* strongLinks({ articles, searching }, criteria, weights.rebuild)
  const trees = yield* averageLinkage({
    weights: weights.rebuild,
    groups: freeGroups,
    links,
    means: sampledMeans(event, { sample, isInEnglish: nodeIsInEnglish }),
    threshold,
    apart: apartOf(free),
    usesCohesion: (node) => usesCohesion(articles[node]),
    usesSize: (node) => usesSize(articles[node]),
    isInEnglish: nodeIsInEnglish,
  })
  const stories = trees.map(({ nodes }) => nodes)
  const subjects = yield* averageLinkage({
    weights: weights.rebuild,
    groups: [...stories, ...otherGroups],
    links: alike,
    means: new SubjectMeans(articles, weights),
    threshold: subjectThreshold,
    apart: [],
    usesCohesion: () => false,
    usesSize: () => false,
    isInEnglish: nodeIsInEnglish,
  })
  return { units, articles, unitOf, links, trees, subjects }
}

/** Pairs of units that a curator keeps apart. */
function apartOf(units: readonly Unit[]): (readonly [number, number])[] {
  const sided = units.map((unit, i) => ({ i, sides: sidesOf(unit.articles) })).filter(({ sides }) => sides.size > 0)
  return sided.flatMap(({ i, sides }) =>
    sided.flatMap((other) => (other.i > i && areApart(sides, other.sides) ? [[i, other.i] as const] : [])),
  )
}

/** All articles of the units that the nodes represent, by event time. */
const articlesOf = (nodes: readonly number[], { unitOf, units }: GroupedDay): RememberedMember[] =>
  [...new Set(nodes.map((node) => unitOf[node] ?? -1))].flatMap((unit) => units[unit]?.articles ?? []).sort(inOrder)

/** Event time of a group's newest article. */
const newest = ({ trees, articles }: GroupedDay, group: number): number =>
  (trees[group]?.nodes ?? []).reduce(
    (time, node) => Math.max(time, articles[node]?.features.time ?? -Infinity),
    -Infinity,
  )

/** Joins units that must stay together: first by a curator's corrections, then reprints with their originals. */
export function bound(units: readonly Unit[]): Unit[] {
  const groups = new Groups(units)
  const articles = units.flatMap((unit, i) => unit.articles.map((member) => ({ member, i })))
  const first = new Map<string, number>()
  const bindings = articles.flatMap(({ member, i }) => togetherIn(member).map((correction) => ({ correction, i })))
  for (const { correction, i } of bindings) {
    groups.bind(first.get(correction) ?? i, i)
    first.set(correction, first.get(correction) ?? i)
  }
  const unitById = new Map(articles.map(({ member, i }) => [member.articleId, i]))
  for (const { member, i } of articles) {
    const original = unitById.get(member.duplicateOf ?? '')
    if (original !== undefined && !groups.areApart(i, original)) groups.bind(i, original)
  }
  return groups.all()
}

/** Corrections that bind an article to others. */
const togetherIn = ({ constraints }: RememberedMember): string[] =>
  constraints.filter(({ role }) => role === 'together').map(({ correction_id }) => correction_id)

/** Disjoint sets of units, each with the sides on which curators put its articles. */
class Groups {
  private readonly units: readonly Unit[]
  private readonly parents: number[]
  private readonly sides: Set<string>[]

  constructor(units: readonly Unit[]) {
    this.units = units
    this.parents = units.map((_, i) => i)
    this.sides = units.map(({ articles }) => sidesOf(articles))
  }

  bind(one: number, other: number): void {
    const [a, b] = [this.root(one), this.root(other)]
    if (a === b) return
    const [low, high] = [Math.min(a, b), Math.max(a, b)]
    this.parents[high] = low
    for (const side of this.sides[high] ?? []) this.sides[low]?.add(side)
  }

  areApart(one: number, other: number): boolean {
    return areApart(this.sides[this.root(one)] ?? new Set(), this.sides[this.root(other)] ?? new Set())
  }

  all(): Unit[] {
    const groups = new Map<number, Unit[]>()
    this.units.forEach((unit, i) => {
      const group = groups.get(this.root(i)) ?? []
      groups.set(this.root(i), group)
      group.push(unit)
    })
    return [...groups.values()].map((group) => ({
      articles: group.flatMap(({ articles }) => articles).sort(inOrder),
      compared: group.flatMap(({ compared }) => compared).sort(inOrder),
    }))
  }

  private root(unit: number): number {
    let at = unit
    for (let up = this.parents[at]; up !== undefined && up !== at; up = this.parents[at]) at = up
    this.parents[unit] = at
    return at
  }
}

interface RegroupedStories {
  readonly ids: ReadonlySet<string>
  readonly changed: ReadonlySet<RememberedMember>
  readonly placing: MemberPlacement
}

/** Articles of one story that are grouped again, so that the work does not grow with a story. */
const MOST_OF_A_STORY = 500

/** The changed articles of a story and the newest. */
const freeIn = (members: readonly RememberedMember[], changed: ReadonlySet<RememberedMember>): RememberedMember[] =>
  members.filter((member, i) => i >= members.length - MOST_OF_A_STORY || changed.has(member))

interface RebuildWindow extends DaySpan {
  /** Maximum number of articles, the newest first. The others stay with their stories, like those outside the window. */
  readonly most: number
  /** The number of a story's other articles that are compared: the newest, of those in English if there are any. */
  readonly compared: number
}

/**
 * Every article of these stories in the window is a unit, of a large story the changed ones and the newest. The others of
 * a story stay together, as one unit. Reprints stay with their original, and curators' corrections are binding.
 */
function unitsOf({ ids, changed, placing }: RegroupedStories, window: RebuildWindow): Unit[] {
  const articles = [...ids].map((id) => [...placing.membersOf(id)].sort(inOrder))
  const recent = articles
    .flatMap((members) =>
      freeIn(
        members.filter((member) => isIn(member, window)),
        changed,
      ),
    )
    .sort(inOrder)
    .slice(-window.most)
  const own = new Set(recent)
  const older = articles
    .map((members) => members.filter((member) => !own.has(member)))
    .filter(({ length }) => length > 0)
  const units = [
    ...recent.map((member): Unit => ({ articles: [member], compared: [member] })),
    ...older.map((members): Unit => ({
      articles: members,
      compared: inEnglishOrAll(members, isInEnglish).slice(-window.compared),
    })),
  ]
  return bound(units).sort((a, b) => inOrder(a.articles[0], b.articles[0]))
}
