import { bar } from '../sources/progress.ts'

/** How far long work has got. */
export interface Advance {
  readonly done: number
  /** Null: not known. */
  readonly whole: number | null
  readonly elapsedMs: number
  /** What is counted: `records`, say. */
  readonly of: string
}

/** `[######------------------]  25 % 2500 of 10000 records, 830 a second, some 9 s left`. */
export function eta({ done, whole, elapsedMs, of }: Advance): string {
  const rate = elapsedMs === 0 ? 0 : (done / elapsedMs) * 1000
  const counted = whole === null ? `${done} ${of}` : `${done} of ${whole} ${of}`
  const left = whole === null || rate === 0 ? '' : `, about ${Math.ceil(Math.max(0, whole - done) / rate)} s left`
  return `${bar(done, whole)}${counted}, ${Math.round(rate)}/s${left}`
}
