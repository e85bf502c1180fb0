/** In characters. */
const LONGEST = 280

/** A post word for word: cut at the end of a word where it is too long. */
export function quoted(text: string): string {
  const all = Array.from(text)
  if (all.length <= LONGEST) return text
  const cut = all.slice(0, LONGEST).join('')
  const whole = /\s/u.test(all[LONGEST - 1] ?? '') ? cut : cut.replace(/\s\S*$/u, '')
  return `${Array.from(whole.trimEnd())
    .slice(0, LONGEST - 1)
    .join('')}…`
}
