/** Anything with an event time, milliseconds since 1970. */
interface Timed {
  readonly at: number
}

/** What follows `after`, up to and with `until`: milliseconds since 1970. */
export interface TimelineSpan {
  readonly after: number
  readonly until: number
}

/** How many are at the moment or before it, of some in order of time. */
export function upTo(timeline: readonly Timed[], moment: number): number {
  let [low, high] = [0, timeline.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((timeline[middle]?.at ?? Infinity) <= moment) low = middle + 1
    else high = middle
  }
  return low
}

/** Up to here a list is as long as it needs to be: most have one or two, and there are hundreds of thousands. */
const SMALL = 16

/** The timeline with one more: a new one while it is small. */
export function put<One extends Timed>(timeline: One[], one: One): One[] {
  const place = upTo(timeline, one.at)
  if (timeline.length < SMALL) return timeline.slice(0, place).concat([one], timeline.slice(place))
  if (place === timeline.length) timeline.push(one)
  else timeline.splice(place, 0, one)
  return timeline
}

export function take<One extends Timed>(timeline: One[], one: One): void {
  const place = timeline.lastIndexOf(one, upTo(timeline, one.at) - 1)
  if (place >= 0) timeline.splice(place, 1)
}

/** A timeline as it will be once `added` has come in the place of `without`. */
export interface TimelineArrival<One extends Timed> {
  readonly timeline: readonly One[]
  readonly added: One
  readonly without: One | null
}

/**
 * When to look at windows of some lengths that one who comes has changed: as it comes, and, where later ones came
 * before it, as the last of them comes that shares a window with it.
 */
export function moments<One extends Timed>(
  { timeline, added: { at } }: TimelineArrival<One>,
  lengths: readonly number[],
) {
  if ((timeline.at(-1)?.at ?? at) <= at) return [at]
  const lasts = lengths.map((length) => Math.max(at, timeline[upTo(timeline, at + length - 1) - 1]?.at ?? at))
  return [...new Set([at, ...lasts])].sort((a, b) => a - b)
}

export const isIn = ({ at }: Timed, { after, until }: TimelineSpan): boolean => at > after && at <= until

export function countIn<One extends Timed>(
  { timeline, added, without }: TimelineArrival<One>,
  span: TimelineSpan,
): number {
  const known = Math.max(0, upTo(timeline, span.until) - upTo(timeline, span.after))
  return known + Number(isIn(added, span)) - Number(without !== null && isIn(without, span))
}

/** In order of time but for the one that is added: that is the last. */
export function allIn<One extends Timed>(
  { timeline, added, without }: TimelineArrival<One>,
  span: TimelineSpan,
): readonly One[] {
  const known = timeline.slice(upTo(timeline, span.after), upTo(timeline, span.until))
  const kept = without === null ? known : known.filter((one) => one !== without)
  return isIn(added, span) ? [...kept, added] : kept
}
