const SPACE_OR_MARK = /[^\p{L}\p{N}\p{M}]+/gu

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(SPACE_OR_MARK, ' ').trim()

/**
 * The text without a leading copy of its title, which many feeds put there: a first line of the same words, or the same
 * characters in any case. Empty when the text is nothing else.
 */
export function bodyOf(title: string | null, text: string): string {
  const whole = text.trim()
  const head = title?.trim() ?? ''
  return head === '' ? whole : (withoutLine(head, whole) ?? withoutPrefix(head, whole) ?? whole)
}

function withoutLine(title: string, text: string): string | null {
  const line = text.indexOf('\n')
  if (line < 0 || line > 2 * title.length + 20 || folded(text.slice(0, line)) !== folded(title)) return null
  return text.slice(line).trimStart()
}

function withoutPrefix(title: string, text: string): string | null {
  if (text.slice(0, title.length).toLowerCase() !== title.toLowerCase()) return null
  const rest = text.slice(title.length)
  const goesOn = /^[\p{L}\p{N}]|^\s*\p{Ll}/u.test(rest) // "Rain" is no copy in "Rainfall was heavy", nor in "Rain fell"
  return goesOn ? null : rest.trim()
}
