import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Path of the settings that apply to every start of a home. */
export const settingsFile = (home: string): string => join(home, 'settings.env')

/**
 * What is wrong with the value of a variable; `null` if it is valid. Must not include the value, which may be a secret.
 */
export type ProblemOf = (name: string, value: string) => string | null

/** The settings in the home's file; empty if there is no file. Throws one error that names every invalid line. */
export function readSettings(home: string, problemOf: ProblemOf): Readonly<Record<string, string>> {
  const file = settingsFile(home)
  if (!existsSync(file)) return {}
  const { settings, problems } = parseSettings(readFileSync(file, 'utf8'), problemOf)
  if (problems.length > 0) throw new Error(`Bad configuration\n${problems.map((one) => `${file} ${one}`).join('\n')}`)
  return settings
}

interface Parsed {
  readonly settings: Readonly<Record<string, string>>
  readonly problems: readonly string[]
}

/** Parses `NAME=value` lines. Empty lines and lines that start with `#` are skipped; values may be quoted. */
export function parseSettings(text: string, problemOf: ProblemOf): Parsed {
  const settings: Record<string, string> = {}
  const problems: string[] = []
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name = '', written = ''] = /^\s*([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    const value = unquoted(written.trim())
    const problem = name in settings ? `${name} is set twice` : problemOfLine(name, value, problemOf)
    if (problem === null) settings[name] = value
    else problems.push(`line ${i + 1}: ${problem}`)
  }
  return { settings, problems }
}

function problemOfLine(name: string, value: string, problemOf: ProblemOf): string | null {
  if (name === '') return 'expected NAME=value'
  if (name === 'STORY_HOME') return 'STORY_HOME cannot be set here: this file lies in it'
  return problemOf(name, value)
}

const unquoted = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text
