import { readdir, readFile, stat } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { basename, join } from 'node:path'
import { isMissing } from './open-source.ts'
import { MAX_LINE_BYTES, type SourceRecord } from './records.ts'

/** Paths of the text files among `paths`: files as given, and the `.txt` files of folders and their folders, sorted. */
export async function textFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(filesOf))
  return found.flat()
}

async function filesOf(path: string): Promise<readonly string[]> {
  const kind = await stat(path).catch((cause: unknown) => {
    throw isMissing(cause) ? new Error(`${path}: no such file or folder`) : cause
  })
  if (!kind.isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  const files = names.filter((name) => /\.txt$/i.test(name)).sort()
  if (files.length === 0) throw new Error(`${path}: the folder has no .txt files`)
  return files.map((name) => join(path, name))
}

/** One article per file. `line` is the number of the file; refusals name the file. */
export async function* textRecords(files: readonly string[], source: string | null): AsyncGenerator<SourceRecord> {
  for (const [index, file] of files.entries()) yield await recordOf(file, { line: index + 1, source })
}

async function recordOf(
  file: string,
  { line, source }: { line: number; source: string | null },
): Promise<SourceRecord> {
  const { size } = await stat(file)
  if (size > MAX_LINE_BYTES)
    return { kind: 'malformed', line, reason: 'line_too_long', detail: `${file}: ${size} bytes` }
  const bytes = await readFile(file)
  if (!isUtf8(bytes)) return { kind: 'malformed', line, reason: 'malformed_line', detail: `${file} is not UTF-8` }
  return { kind: 'fields', line, fields: { ...splitTitle(bytes.toString('utf8')), source }, title: basename(file) }
}

const MAX_TITLE_CHARACTERS = 300

/** The first line is the title if an empty line follows it. */
export function splitTitle(content: string): { readonly title: string | null; readonly text: string } {
  const text = content
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .trim()
  const found = /^([^\n]+)\n[^\S\n]*\n([\s\S]+)$/.exec(text)
  const [, title = '', body = ''] = found ?? []
  return found === null || title.length > MAX_TITLE_CHARACTERS
    ? { title: null, text }
    : { title: title.trim(), text: body.trim() }
}
