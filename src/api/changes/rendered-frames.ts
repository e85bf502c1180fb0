import { HOUR_MS } from '../../domain/days.ts'
import type { FeedChange } from '../../views/changes/page.ts'
import { past, writeCursor } from '../../views/changes/position.ts'
import { eventFrame } from './frame.ts'

/** More than listeners that keep up are apart. */
const RENDERED = 1_000

export interface RenderedFramesListener {
  readonly namespace: string
  /** Up to when it has had everything, by the time of the log: milliseconds since 1970. */
  readonly had: number
}

/**
 * Frames of changes, each rendered once for all who listen. The cursor in a shared frame says what is true of each
 * listener: it has had all up to the change, and by the log's time up to when that was logged.
 */
export class RenderedFrames {
  private readonly frames = new Map<FeedChange, string>()

  of(change: FeedChange, { namespace, had }: RenderedFramesListener): string {
    if (had - change.logged_at > HOUR_MS) return render(change, namespace, had) // it reads what is days old
    const known = this.frames.get(change)
    if (known !== undefined) return known

    const frame = render(change, namespace, change.logged_at)
    this.frames.set(change, frame)
    for (const oldest of this.frames.keys()) {
      if (this.frames.size <= RENDERED) break
      this.frames.delete(oldest)
    }
    return frame
  }
}

const render = (change: FeedChange, namespace: string, had: number): string =>
  eventFrame(change, writeCursor(past({ after: -1, partition: null, had }, change), namespace))
