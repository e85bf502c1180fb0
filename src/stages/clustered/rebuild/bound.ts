import type { RememberedMember } from '../changelog.ts'
import { areApart, inOrder, sidesOf, type Unit } from './unit.ts'

/** Units joined that must not be taken apart: by a curator's word, then re-prints with their originals. */
export function bound(units: readonly Unit[]): Unit[] {
  const groups = new Groups(units)
  const articles = units.flatMap((unit, i) => unit.articles.map((member) => ({ member, i })))
  const first = new Map<string, number>()
  const words = articles.flatMap(({ member, i }) => togetherIn(member).map((correction) => ({ correction, i })))
  for (const { correction, i } of words) {
    groups.bind(first.get(correction) ?? i, i)
    first.set(correction, first.get(correction) ?? i)
  }
  const place = new Map(articles.map(({ member, i }) => [member.articleId, i]))
  for (const { member, i } of articles) {
    const original = place.get(member.duplicateOf ?? '')
    if (original !== undefined && !groups.areApart(i, original)) groups.bind(i, original)
  }
  return groups.all()
}

/** Corrections by which an article is in one story with others. */
const togetherIn = ({ constraints }: RememberedMember): string[] =>
  constraints.filter(({ role }) => role === 'together').map(({ correction_id }) => correction_id)

/** Disjoint sets of units, each with the sides that curators put its articles on. */
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
