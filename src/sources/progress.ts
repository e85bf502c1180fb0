import type { Clock } from '../ports/clock.ts'

/** Where passing words go. */
export interface Screen {
  /** True: a terminal, where one line is replaced in place; false: a file, where each word is a line. */
  readonly live: boolean
  say(text: string): void
}

export interface Progress {
  /** Says it when it is time again, or at once when `now` asks so. */
  update(text: () => string): void
  print(text: string): void
  /** Takes the last word off a terminal, so that the answer stands alone. */
  end(): void
}

const LIVE_MS = 200
const LINE_MS = 10_000

/** Not more often than an eye can follow, or a log file can bear. */
export function progressOn(screen: Screen, clock: Clock): Progress {
  const every = screen.live ? LIVE_MS : LINE_MS
  let saidAt = screen.live ? -Infinity : clock.now()
  const print = (text: string): void => {
    saidAt = clock.now()
    screen.say(text)
  }
  return {
    print,
    update: (text) => {
      if (clock.now() - saidAt >= every) print(text())
    },
    end: () => {
      if (screen.live) screen.say('')
    },
  }
}

const WIDTH = 24

/** `[######------------------]  25 %`; nothing where the whole is not known. */
export function bar(done: number, whole: number | null): string {
  if (whole === null || whole === 0) return ''
  const share = Math.min(1, done / whole)
  const full = Math.round(share * WIDTH)
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${String(Math.floor(share * 100)).padStart(3)} % `
}
