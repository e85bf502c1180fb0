import { dayOf } from '../days.ts'
import type { ClusteredStories } from '../memory.ts'
import type { RememberedMember } from '../changelog.ts'
import { bound } from './bound.ts'
import { inOrder, type Unit } from './unit.ts'
import type { MemberPlacement } from './placing.ts'

export interface RebuildWindow {
  /** First and last event day, both inclusive. */
  readonly from: number
  readonly to: number
  /** Articles at most: of more, the newest. The others stay with their stories, as those from before do. */
  readonly most: number
  /** Of what a story has from before, the newest so many are compared. */
  readonly compared: number
}

/**
 * Every article of the window is a unit. What their stories have from before it stays together, as one unit a story;
 * later articles are left out, as if they had not come. Re-prints stay with their original, and a curator's word binds.
 */
export function unitsOf(stories: ClusteredStories, placing: MemberPlacement, window: RebuildWindow): Unit[] {
  const recent = articlesOf(stories, window).slice(-window.most)
  const own = new Set(recent)
  const older = [...new Set(recent.map((member) => placing.storyOf(member)))].flatMap((id) => {
    const before = [...placing.membersOf(id)].filter((one) => !own.has(one) && dayOf(one.features.time) <= window.to)
    return before.length === 0 ? [] : [before.sort(inOrder)]
  })
  const units = [
    ...recent.map((member): Unit => ({ articles: [member], compared: [member] })),
    ...older.map((articles): Unit => ({ articles, compared: articles.slice(-window.compared) })),
  ]
  return bound(units).sort((a, b) => inOrder(a.articles[0], b.articles[0]))
}

function articlesOf({ index }: ClusteredStories, { from, to }: RebuildWindow): RememberedMember[] {
  const days = Array.from({ length: to - from + 1 }, (_, i) => index.days.get(from + i))
  const slots = new Set(days.flatMap((day) => [...(day?.slots.keys() ?? [])]))
  const members = [...slots].flatMap((slot) => index.bySlot[slot]?.members ?? [])
  return members.filter(({ features }) => isBetween(dayOf(features.time), from, to)).sort(inOrder)
}

const isBetween = (day: number, from: number, to: number): boolean => day >= from && day <= to
