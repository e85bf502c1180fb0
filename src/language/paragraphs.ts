const LINE_BREAK = /\r\n?|[\n\u2028\u2029]/u
const ENDED = /[.!?…:;。！？।؟]["”'’»)\]]*$/u
/** A capital, a digit or a mark may begin a paragraph as well as go on with one. */
const GOES_ON = /^[\p{Ll}\p{Lo}]/u

/**
 * The paragraphs of a text: its lines, as newspapers write. In a text that was wrapped to a width, as mail and wires do,
 * most lines end within a sentence: there a line goes on with the one before it, up to a blank line or a sentence's end.
 */
export function paragraphsOf(text: string): string[] {
  const lines = text.split(LINE_BREAK).map((line) => line.trim())
  return isWrapped(lines) ? unwrapped(lines) : lines.filter((line) => line !== '')
}

function isWrapped(lines: readonly string[]): boolean {
  let [breaks, inside] = [0, 0]
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1] ?? ''
    if (line === '' || before === '') continue
    breaks++
    if (GOES_ON.test(line) && !ENDED.test(before)) inside++
  }
  return 2 * inside > breaks
}

function unwrapped(lines: readonly string[]): string[] {
  const paragraphs: string[] = []
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1] ?? ''
    const isNew = before === '' || (ENDED.test(before) && !GOES_ON.test(line))
    if (line === '') continue
    if (isNew) paragraphs.push(line)
    else paragraphs.push(`${paragraphs.pop() ?? ''} ${line}`)
  }
  return paragraphs
}
