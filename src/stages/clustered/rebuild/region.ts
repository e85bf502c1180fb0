import { dayOf } from '../../../domain/days.ts'
import type { ClusteringModel } from '../../../language/clustering/model.ts'
import type { Steps } from '../../../state/steps.ts'
import type { RememberedMember } from '../changelog.ts'
import { candidates } from '../candidates.ts'
import { nearestMembers, type LiveIndex } from '../live-index.ts'
import { areCross, crossTitleCosine, SECTIONS } from '../packed-features.ts'
import { sharedWeight } from '../terms-cosine.ts'
import { linksOf, topOf } from './links.ts'
import { inOrder, type MemberPlacement } from './unit.ts'

/** What a recluster reads because of some changed articles. */
export interface RebuildRegion {
  /** Stories whose articles are grouped again. */
  readonly stories: ReadonlySet<string>
  /** Articles of other stories that may share a subject with those: one group for each page, or story without a page. */
  readonly others: readonly (readonly RememberedMember[])[]
}

/** First and last event day, both inclusive. */
export interface DaySpan {
  readonly from: number
  readonly to: number
}

export interface RegionInput {
  readonly index: LiveIndex
  readonly placing: MemberPlacement
  readonly window: DaySpan
  readonly model: Pick<ClusteringModel, 'weights' | 'mu'>
}

/**
 * The stories of the changed articles, and those that they are linked to: the articles of all others keep their story. So
 * the work depends on the changed articles and their stories, and not on how many articles the window has.
 */
export function* regionOf(changed: readonly RememberedMember[], input: RegionInput): Steps<RebuildRegion> {
  const { placing, model } = input
  const own = new Set(changed.map((member) => placing.storyOf(member)))
  const stories = new Set(own)
  const alike = new Set<RememberedMember>()
  for (const member of new Set([...changed, ...[...own].flatMap((id) => searching(id, input))])) {
    yield
    for (const { other, event, subject } of linkedTo(member, input)) {
      if (event > model.weights.rebuild.threshold) stories.add(placing.storyOf(other))
      if (subject > model.weights.subject.threshold) alike.add(other)
    }
  }
  return { stories, others: groupsOf(alike, stories, input) }
}

/** The articles of a changed story that look for stories, the newest: what it may be joined with or split into. */
const searching = (id: string, { placing, window, model: { weights } }: RegionInput): RememberedMember[] =>
  [...placing.membersOf(id)]
    .filter((member) => isIn(member, window))
    .sort(inOrder)
    .slice(-weights.rebuild.sample)

/** The page of each article, or its story if it has none, without the stories of the region. */
function groupsOf(
  alike: ReadonlySet<RememberedMember>,
  stories: ReadonlySet<string>,
  { placing, window }: RegionInput,
): (readonly RememberedMember[])[] {
  const pages = new Set<string>()
  const unlisted = new Set<string>()
  const add = (member: RememberedMember): void => {
    const page = placing.subjectOf(member)
    if (page !== null) pages.add(page)
    else if (!stories.has(placing.storyOf(member))) unlisted.add(placing.storyOf(member))
  }
  for (const member of alike) add(member)
  for (const id of stories) for (const member of placing.membersOf(id)) add(member)
  const groups = [
    ...[...pages].map((page) => [...placing.listedOn(page)].filter((one) => !stories.has(placing.storyOf(one)))),
    ...[...unlisted].map((id) => [...placing.membersOf(id)].filter((one) => placing.subjectOf(one) === null)),
  ]
  return groups
    .map((group) => group.filter((one) => isIn(one, window)).sort(inOrder))
    .filter(({ length }) => length > 0)
    .sort(([a], [b]) => inOrder(a, b))
}

export function isIn({ features: { time } }: RememberedMember, { from, to }: DaySpan): boolean {
  const day = dayOf(time)
  return day >= from && day <= to
}

/**
 * The articles of the window that are compared with an article, with their links: those that share the rarest keys with
 * it (if all its keys are common, of the most similar stories of the hours around), and across languages those with the
 * nearest titles. Of each story, only the articles nearest in time are looked at.
 */
function linkedTo(member: RememberedMember, { index, window, model: { weights, mu } }: RegionInput) {
  const { compared, window_days } = weights.rebuild
  const search = {
    weights: { join: { ...weights.join, window_days }, candidates: { by_keys: compared, by_sketch: 0 } },
    mu,
    nearIfCommon: compared,
  }
  const near = candidates(index, member.features, search).flatMap(({ cluster }) =>
    nearestMembers(cluster, member.features.time, compared).filter(
      (other) => other.articleId !== member.articleId && isIn(other, window),
    ),
  )
  const strongest = (values: ComparedArticle[]) =>
    topOf(values, compared, (x, y) => inOrder(x.other, y.other)).map(({ other }) => other)
  const sharing = near
    .map((other) => ({ other, value: sharedWeight(member.features, other.features, SECTIONS.keys) }))
    .filter(({ value }) => value > 0)
  const across = near
    .filter(({ features }) => areCross(member.features, features))
    .map((other) => ({ other, value: crossTitleCosine(member.features, other.features) }))
  return [...new Set([...strongest(sharing), ...strongest(across)])].map((other) => ({
    other,
    ...linksOf(member, other, weights),
  }))
}

interface ComparedArticle {
  readonly other: RememberedMember
  readonly value: number
}
