/** Word pieces of a window, marks not included, and where in it each of its words begins. */
export interface TaggerWindow {
  readonly ids: readonly number[]
  /** Row of features of each piece: the word's index over all sentences. */
  readonly rows: readonly number[]
  /** Position of each word's first piece, in the order of the words. */
  readonly firsts: readonly number[]
}

interface OpenWindow {
  readonly ids: number[]
  readonly rows: number[]
  readonly firsts: number[]
}

/**
 * Sentences in the order of their article, as many whole ones to a window as fit: they are read beside each other. A
 * sentence that fits into no window begins one and is cut between words. `sentences`: pieces of each word.
 */
export function taggerWindows(
  sentences: readonly (readonly (readonly number[])[])[],
  size: number,
): readonly TaggerWindow[] {
  const windows: OpenWindow[] = []
  let row = 0
  for (const words of sentences) {
    const length = words.reduce((sum, pieces) => sum + pieces.length, 0)
    let open = fitting(windows, length, size)
    for (const pieces of words) {
      if (open.ids.length + pieces.length > size) open = fitting(windows, size, size)
      open.firsts.push(open.ids.length)
      for (const id of pieces) {
        open.ids.push(id)
        open.rows.push(row)
      }
      row++
    }
  }
  return windows
}

/** The last window, if so many pieces still fit into it, or a new one. */
function fitting(windows: OpenWindow[], length: number, size: number): OpenWindow {
  const last = windows.at(-1)
  if (last !== undefined && last.ids.length + length <= size) return last
  const next: OpenWindow = { ids: [], rows: [], firsts: [] }
  windows.push(next)
  return next
}
