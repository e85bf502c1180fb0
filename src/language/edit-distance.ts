/** Levenshtein distance: the number of characters to insert, delete or replace; at most `most` + 1. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) row = nextRow(row, a[i - 1] ?? '', b)
  return Math.min(row.at(-1) ?? 0, most + 1)
}

function nextRow(row: readonly number[], letter: string, b: string): number[] {
  const next = [(row[0] ?? 0) + 1]
  for (let j = 1; j <= b.length; j++) {
    const taken = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1)
    next.push(Math.min(taken, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
  }
  return next
}
