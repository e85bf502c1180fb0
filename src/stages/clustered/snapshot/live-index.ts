import { DayPostings } from '../day-postings.ts'
import { noDay, type LiveIndex } from '../live-index.ts'
import {
  arraySection,
  joinedSection,
  jsonSection,
  readJson,
  type StateSection,
  type WrittenSections,
} from '../../../state/sections.ts'

interface IndexLayout {
  readonly slots: number
  readonly allForeign: number
  readonly days: readonly DayLayout[]
}

interface DayLayout {
  readonly day: number
  /** The number of postings of each run. */
  readonly runs: readonly number[]
  readonly withdrawn: number
}

/** What a restore would compute from the articles: sketches and postings. All sketches must be up to date. */
export function* writeIndex(index: LiveIndex): Generator<StateSection> {
  const days = [...index.days].map(([day, { postings }]) => ({
    ...{ day, runs: postings.runs() },
    withdrawn: postings.withdrawn,
  }))
  const layout: IndexLayout = {
    slots: index.bySlot.length,
    allForeign: index.allForeign,
    days: days.map((day) => ({ ...day, runs: day.runs.map(({ length }) => length) })),
  }
  yield jsonSection(layout)
  const { sketches, crossSketches, foreign, briefs } = index
  yield* [sketches, crossSketches, foreign, briefs].map(arraySection)
  for (const { runs } of days) yield joinedSection(runs)
}

/** Fills an empty index with all but the stories and their articles. */
export async function readIndex(sections: WrittenSections, index: LiveIndex): Promise<void> {
  const { slots, allForeign, days } = await readJson<IndexLayout>(sections)
  index.bySlot.length = slots
  index.allForeign = allForeign
  index.sketches = new Uint32Array(await sections.next())
  index.crossSketches = new Uint32Array(await sections.next())
  index.foreign = new Uint32Array(await sections.next())
  index.briefs = new Uint32Array(await sections.next())
  index.spans = new Float64Array(2 * index.foreign.length)
  index.bodiless = new Uint8Array(index.foreign.length)
  index.shared = new Uint32Array(index.foreign.length)
  for (const { day, runs, withdrawn } of days) {
    index.days.set(day, noDay(DayPostings.of(divided(await sections.next(), runs), withdrawn)))
  }
}

function divided(bytes: ArrayBufferLike, lengths: readonly number[]): Float64Array[] {
  let at = 0
  return lengths.map((length) => {
    const from = at
    at += length * Float64Array.BYTES_PER_ELEMENT
    return new Float64Array(bytes.slice(from, at))
  })
}
