const SPACE_OR_MARK = /[^\p{L}\p{N}\p{M}]+/gu

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(SPACE_OR_MARK, ' ').trim()

/** A text without a leading copy of its title (a first line that says the same words); the text itself where there is none. */
export function bodyOf(title: string | null, text: string): string {
  if (title === null) return text
  const line = text.indexOf('\n')
  if (line < 0 || line > 2 * title.length + 20 || folded(text.slice(0, line)) !== folded(title)) return text
  return text.slice(line).trimStart()
}
