import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { projectPath } from '../config/project-path.ts'
import { remembered } from './memoize.ts'

// The only file of `src/language` that reads from disk. Word lists are small and read when the importing module is
// loaded; tables and weights are read on first use.

/** The bytes of a file in `models/`, decompressed if its name ends in `.gz`. */
export function modelFile(path: string): Buffer {
  const bytes = readFileSync(projectPath(`models/${path}`))
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

export const modelText = (path: string): string => modelFile(path).toString('utf8')

/** Twelve hex digits of SHA-256: the version of a model, recorded in the events that it affected. */
export function versionOf(...files: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file)
  return hash.digest('hex').slice(0, 12)
}

/** The lines of a table, each split into its tab-separated fields. */
export const tableLines = (tsv: string): readonly (readonly string[])[] =>
  tsv.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]))

type Sections = ReadonlyMap<string, readonly string[]>

/** The sections of `models/word-lists/<file>.txt`, each with its lines; without comments and blank lines. */
const sectionsOf = remembered((file) => parseSections(modelText(`word-lists/${file}.txt`)))

function parseSections(text: string): Sections {
  const sections = new Map<string, string[]>()
  let lines: string[] = []
  for (const line of text.split('\n')) {
    const [, name] = /^\[([\w -]+)\]$/u.exec(line) ?? []
    if (name !== undefined) sections.set(name, (lines = []))
    else if (line !== '' && !line.startsWith('# ')) lines.push(line)
  }
  return sections
}

/** Whether a file of word lists has a section, named `<file>/<section>`. */
export const hasWordList = (name: string): boolean => {
  const [file = '', section = ''] = name.split('/')
  return sectionsOf(file).has(section)
}

/** Lines of a section, named `<file>/<section>`. */
export function linesIn(name: string): readonly string[] {
  const [file = '', section = ''] = name.split('/')
  const lines = sectionsOf(file).get(section)
  if (lines === undefined) throw new Error(`models/word-lists/${file}.txt has no section ${section}`)
  return lines
}

const wordsIn = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(/\s+/u))

/** Words of a section, separated by white space. */
export const wordList = (name: string): ReadonlySet<string> => wordsIn(linesIn(name))

/** Pairs `key:value` of a section, separated by white space. */
export const wordPairs = (name: string): ReadonlyMap<string, string> =>
  new Map([...wordList(name)].map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]))

/** Phrases of a section, separated by `|` or line breaks. */
export const phraseList = (name: string): ReadonlySet<string> => new Set(linesIn(name).join('|').split('|'))

/** The words of each section of a file, by the section's name. */
export const wordLists = (file: string): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([...sectionsOf(file)].map(([name, lines]) => [name, wordsIn(lines)]))

/** Regular expressions of a section, each written as in JavaScript: `/…/flags`; an indented line continues the line before. */
export const patternsIn = (name: string): readonly RegExp[] => parsePatterns(linesIn(name))

/** The one regular expression of a section. */
export function patternIn(name: string): RegExp {
  const [pattern, ...more] = patternsIn(name)
  if (pattern === undefined || more.length > 0) throw new Error(`Expected one pattern in ${name}`)
  return pattern
}

/** The one regular expression of each section of a file, by the section's name. */
export const patternsByName = (file: string): readonly (readonly [name: string, pattern: RegExp])[] =>
  [...sectionsOf(file).keys()].map((name) => [name, patternIn(`${file}/${name}`)])

function parsePatterns(lines: readonly string[]): readonly RegExp[] {
  const whole = lines.reduce((text, line) => text + (line.startsWith('  ') ? line.slice(2) : `\n${line}`), '')
  return whole.split('\n').flatMap((line) => {
    const end = line.lastIndexOf('/')
    return line === '' ? [] : [new RegExp(line.slice(1, end), line.slice(end + 1))]
  })
}
