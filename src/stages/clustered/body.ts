/** The text without a leading copy of its title, which many feeds put there. */
export function body(title: string | null, text: string): string {
  const whole = text.trim()
  const head = title?.trim() ?? ''
  if (head === '' || whole.slice(0, head.length).toLowerCase() !== head.toLowerCase()) return whole
  const rest = whole.slice(head.length)
  return /^[\p{L}\p{N}]/u.test(rest) ? whole : rest.trim() // "Rain" is no copy in front of "Rainfall was heavy"
}

/** The first `count` words, split at white space. */
export function firstWords(text: string, count: number): string {
  const words = /\S+/g
  for (let i = 0; i < count; i++) if (words.exec(text) === null) return text
  return text.slice(0, words.lastIndex)
}

/** True when the text has at least `count` words. */
export function hasWords(text: string, count: number): boolean {
  const words = /\S+/g
  for (let i = 0; i < count; i++) if (words.exec(text) === null) return false
  return true
}
