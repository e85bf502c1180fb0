/** Where a name stands in a text, whatever its case and its blanks: as whole words if it can be had, else anywhere. */
export function placeOf(name: string, text: string): { readonly start: number; readonly end: number } | undefined {
  const words = name.split(/\s+/).filter(Boolean).map(escaped).join('\\s+')
  if (words === '') return undefined
  const whole = new RegExp(`(?<![\\p{L}\\p{N}_])${words}(?![\\p{L}\\p{N}_])`, 'iu')
  const found = whole.exec(text) ?? new RegExp(words, 'iu').exec(text)
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length }
}

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
