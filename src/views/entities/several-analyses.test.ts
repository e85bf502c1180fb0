import { expect, it } from 'vitest'
import { replacedIn, type AnalysedRevision } from './several-analyses.ts'

const WINDOW = { from: 100, as_of: 200, up_to: 50 }

const offsetsOf = (revisions: readonly AnalysedRevision[], over: Partial<typeof WINDOW> = {}): number[] =>
  replacedIn([revisions], { ...WINDOW, ...over }).map(([offset]) => offset)

it.each<[string, readonly AnalysedRevision[], Partial<typeof WINDOW>, number[]]>([
  ['an older revision', [revision(1, 110), revision(2, 120)], {}, [1]],
  ['an older revision, but none before the window', [revision(1, 90), revision(2, 120)], {}, []],
  ['all of the window if the newest is before it', [revision(1, 110), revision(2, 90)], {}, [1]],
  ['no revision that a later one will replace', [revision(1, 110), revision(2, 201)], {}, []],
  ['no revision that one beyond the log offset replaces', [revision(1, 110), revision(51, 120)], {}, []],
  ['a direct analysis, even a newer one', [revision(1, 110), revision(2, 120, true)], {}, [2]],
  ['the older of two direct ones', [revision(1, 110, true), revision(2, 120, true)], {}, [1]],
  [
    'a direct one only while there is one from the pipeline',
    [revision(2, 120), revision(1, 110, true)],
    { up_to: 1 },
    [],
  ],
  [
    'a row that was written again under a later log offset',
    [{ direct: false, places: [place(1, 110), place(7, 110)] }],
    {},
    [7],
  ],
  [
    'a revision that was written again after a newer one',
    [{ direct: false, places: [place(1, 110), place(7, 110)] }, revision(3, 120)],
    {},
    [1, 7],
  ],
  [
    'a revision whose first row is later than the window, even if it was written again with an earlier time',
    [{ direct: false, places: [place(1, 210), place(7, 110)] }],
    {},
    [7],
  ],
])('does not count %s', (_, revisions, over, expected) => {
  expect(offsetsOf(revisions, over)).toEqual(expected)
})

function place(offset: number, at: number): AnalysedRevision['places'][number] {
  return [offset, at]
}

function revision(offset: number, at: number, direct = false): AnalysedRevision {
  return { direct, places: [place(offset, at)] }
}
