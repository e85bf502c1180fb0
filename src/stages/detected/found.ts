import type { DetectionType } from '../../events/trends.ts'
import { cross } from './crossings.ts'
import { dayOf, historyOf } from './days.ts'
import type { Figures, Level } from './level.ts'
import type { Article, Held } from './memory.ts'
import { toldId, type RememberedCrossings } from './remembered.ts'
import { shift } from './shift.ts'
import { spike } from './spike.ts'
import type { Coming } from './timeline.ts'
import { categoryOf, trend } from './trend.ts'

/** What is to be remembered of a subject's crossings, and what of it is news. */
export interface Found {
  readonly told: RememberedCrossings
  readonly news: (Figures & { readonly category: string | null }) | null
}

interface Arrival {
  readonly added: Article
  /** An older revision of it. */
  readonly without: Article | null
}

/** What an article makes known at its event time: of its story, and of each entity it names. */
export function found(held: Held, { added, without }: Arrival): readonly Found[] {
  const { at, story, entities } = added
  const coming = (timeline: readonly Article[], wasIn: boolean): Coming<Article> => ({
    ...{ timeline, added },
    without: wasIn ? without : null,
  })
  const rising = { coming: coming(story.articles, without?.story === story), at }
  const days = historyOf(held.days, dayOf(at))
  return [
    ...crossing(held, {
      type: 'trend.detected',
      id: story.id,
      level: trend(rising),
      at,
      category: () => categoryOf(rising),
    }),
    ...entities.flatMap((entity) => {
      const naming = { coming: coming(entity.articles, without?.entities.includes(entity) ?? false), at, entity, days }
      const subject = { id: entity.id, at, category: () => null }
      return [
        ...crossing(held, { ...subject, type: 'entity.spike', level: spike(naming) }),
        ...crossing(held, { ...subject, type: 'sentiment.shift', level: shift(naming) }),
      ]
    }),
  ]
}

interface Subject {
  readonly type: DetectionType
  readonly id: string
  readonly level: Level | null
  readonly at: number
  readonly category: () => string | null
}

function crossing(held: Held, { type, id, level, at, category }: Subject): readonly Found[] {
  if (level === null) return []
  const { crossings, news } = cross(held.told.get(toldId(type, id)) ?? [], at, level)
  if (crossings === null) return []
  return [{ told: { type, subject_id: id, crossings }, news: news === null ? null : { ...news, category: category() } }]
}
