import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { pipeline } from '../../src/pipeline.ts'
import { projectPath } from '../../src/config/project-path.ts'

/** The rules of `docs/glossary.md` for names. */

/** Forbidden words, in the order of the glossary. */
const FORBIDDEN = new Set(forbiddenWords(readFileSync(projectPath('docs/glossary.md'), 'utf8')))

/** Fields of changelog records, which older processes read and write: `telling.untold`. */
const WIRE_NAMES = new Set(['told', 'untold', 'telling'])
const KNOW_WIRE_NAMES = [
  ...['src/stages/changed/', 'src/stages/detected/', 'src/stages/enriched/', 'src/bench/detections/'],
  'src/bench/heap.ts',
  ...['src/stages/memory-times.test.ts', 'test/parity/wire-values.ts', 'test/builders/changed.ts'],
]

/** Files of a stage or of its bench, which have the stage's name. */
const STAGES = new Set([...Object.keys(pipeline.stages), ...Object.keys(pipeline.effects)])
const NOUNS = new Set(['feed', 'seed', 'need'])
const IRREGULAR = new Set(
  'told kept left drawn shown seen made sent said read held found written known taken given gone begun'.split(' '),
)

/** Those forbidden in prose as well; the others (`asked`, `wanted`, `leaving`, `drawn`) are allowed in a sentence. */
const NOT_IN_COMMENTS = /\b(?:told|tells?|tellings?|untold|anew|whoever|whom|lately|likest|hence|lest)\b/iu

interface Declaration {
  readonly name: string
  readonly file: string
  readonly isExported: boolean
}

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: projectPath('.'), encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => file !== 'sdk/src/api.ts') // generated from the OpenAPI document
const sources = files.map((file) =>
  ts.createSourceFile(file, readFileSync(projectPath(file), 'utf8'), ts.ScriptTarget.Latest, true),
)

describe('the vocabulary', () => {
  it('has no forbidden words in identifiers', () => {
    const found = sources.flatMap((source) =>
      identifiersOf(source)
        .filter((name) => wordsOf(name).some((word) => FORBIDDEN.has(word)) && !isWireName(name, source.fileName))
        .map((name) => `${source.fileName}: ${name}`),
    )

    expect(FORBIDDEN.size).toBeGreaterThan(10)
    expect([...new Set(found)]).toEqual([])
  })

  it('has no forbidden words in comments of the product', () => {
    const found = files
      .filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'))
      .flatMap((file) => commentsOf(readFileSync(projectPath(file), 'utf8')).map((comment) => ({ file, comment })))

    expect(found.length).toBeGreaterThan(1_000)
    expect(found.filter(({ comment }) => NOT_IN_COMMENTS.test(comment))).toEqual([])
  })

  it('declares each exported type once, and any type at most three times', () => {
    const byName = new Map<string, Declaration[]>()
    for (const declaration of sources.flatMap(typesOf)) {
      byName.set(declaration.name, [...(byName.get(declaration.name) ?? []), declaration])
    }
    const crowded = [...byName].filter(
      ([, all]) => all.length > 3 || (all.length > 1 && all.some(({ isExported }) => isExported)),
    )

    expect(byName.size).toBeGreaterThan(1_000)
    expect(crowded.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`)).toEqual([])
  })

  it('names no file by a participle alone or a forbidden word', () => {
    const names = files.map((file) => basename(file).replace(/(?:\.test)?\.tsx?$/u, ''))

    expect([
      ...new Set(names.filter((name) => isParticiple(name) || wordsOf(name).some((word) => FORBIDDEN.has(word)))),
    ]).toEqual([])
  })
})

function forbiddenWords(glossary: string): readonly string[] {
  const line = glossary.split('\n').find((one) => one.startsWith('**Forbidden as identifiers'))
  const list = line?.replace(/^\*\*.*?\*\*: /u, '').replace(/\..*$/u, '') ?? ''
  return list.split(', ').flatMap((entry) => {
    const word = entry.replace(/ \(.*\)$/u, '')
    return word.endsWith('(s)') ? [word.slice(0, -3), `${word.slice(0, -3)}s`] : [word]
  })
}

/** Block comments, and line comments that stand alone or after a space: not the `//` of an address. */
const commentsOf = (text: string): readonly string[] => text.match(/\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$/gmu) ?? []

function identifiersOf(source: ts.SourceFile): readonly string[] {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) names.push(node.text.replace('#', ''))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

function typesOf(source: ts.SourceFile): readonly Declaration[] {
  return source.statements.flatMap((statement) =>
    ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement)
      ? [{ name: statement.name?.text ?? '', file: source.fileName, isExported: hasExport(statement) }]
      : [],
  )
}

const hasExport = ({ modifiers }: ts.DeclarationStatement & { readonly modifiers?: ts.NodeArray<ts.ModifierLike> }) =>
  modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

/** `untilTold`, `TOLD_MS` and `lag-told` in lower-case words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .split(/[_-]|(?<=[a-z0-9])(?=[A-Z])/u)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '')

const isWireName = (name: string, file: string): boolean =>
  WIRE_NAMES.has(name) && KNOW_WIRE_NAMES.some((path) => file.startsWith(path))

const isParticiple = (name: string): boolean =>
  IRREGULAR.has(name) || (/^[a-z]+ed$/u.test(name) && !STAGES.has(name) && !NOUNS.has(name))
