import type { Clock } from '../ports/clock.ts'

/** Where progress messages are printed. */
export interface Screen {
  /** True: a terminal, where each message replaces the last one. False: a file, where each message is a line. */
  readonly live: boolean
  say(text: string): void
}

export interface Progress {
  /** Prints the message if enough time has passed since the last one. */
  update(text: () => string): void
  print(text: string): void
  /** Clears the last message on a terminal. */
  end(): void
}

const LIVE_MS = 200
const LINE_MS = 10_000

/** Limits progress messages to one per 200 ms on a terminal, and one per 10 s in a file. */
export function progressOn(screen: Screen, clock: Clock): Progress {
  const every = screen.live ? LIVE_MS : LINE_MS
  let printedAt = screen.live ? -Infinity : clock.now()
  const print = (text: string): void => {
    printedAt = clock.now()
    screen.say(text)
  }
  return {
    print,
    update: (text) => {
      if (clock.now() - printedAt >= every) print(text())
    },
    end: () => {
      if (screen.live) screen.say('')
    },
  }
}

const WIDTH = 24

/** A progress bar, `[######------------------]  25 %`; empty if the total is not known. */
export function bar(done: number, whole: number | null): string {
  if (whole === null || whole === 0) return ''
  const share = Math.min(1, done / whole)
  const full = Math.round(share * WIDTH)
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${String(Math.floor(share * 100)).padStart(3)} % `
}
