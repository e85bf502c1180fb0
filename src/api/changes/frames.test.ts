import { expect, it } from 'vitest'
import { readCursor } from '../../views/changes/position.ts'
import type { FeedChange } from '../../views/changes/page.ts'
import { RenderedFrames } from './frames.ts'

const DAY_MS = 86_400_000

/** A change that counts how often its data is read: once for each rendering. */
function aChange(offset: number) {
  let renderings = 0
  const change: FeedChange = {
    ...{ id: `event ${offset}`, type: 'cluster.grown', owner: '', occurred_at: '2016-05-03T12:00:00.000Z' },
    ...{ offset, partition: 0, logged_at: 40 * DAY_MS + offset },
    get data() {
      renderings += 1
      return '{}'
    },
  }
  return { change, renderings: () => renderings }
}

const cursorIn = (frame: string) => readCursor(/^id: (.+)$/m.exec(frame)?.[1] ?? '', 'shared', 45 * DAY_MS)

it('renders a change once, however many listeners it has', () => {
  const rendered = new RenderedFrames()
  const { change, renderings } = aChange(7)

  const all = Array.from({ length: 1_000 }, (_, i) =>
    rendered.of(change, { namespace: 'shared', had: change.logged_at - i }),
  )

  expect(new Set(all).size).toBe(1)
  expect(renderings()).toBe(1)
  expect(cursorIn(all[0] ?? '')).toEqual({ after: 7, partition: 0, had: change.logged_at })
})

it('takes nothing from a listener that reads what is days old', () => {
  const { change } = aChange(7)
  const had = change.logged_at + 2 * DAY_MS

  const frame = new RenderedFrames().of(change, { namespace: 'shared', had })

  expect(cursorIn(frame)).toEqual({ after: 7, partition: 0, had })
})
