/** Header fields by lower-case name. The first field of a name counts. */
export type HeaderFields = ReadonlyMap<string, string>

/** The fields of header lines. A line that begins with white space continues the one before. */
export function headerFields(lines: readonly string[]): HeaderFields {
  const fields = new Map<string, string>()
  let last = ''
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (last !== '') fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`)
      continue
    }
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    last = name === '' || fields.has(name) ? '' : name
    if (last !== '') fields.set(last, line.slice(colon + 1).trim())
  }
  return fields
}
