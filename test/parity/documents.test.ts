import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectPath } from '../../src/config/project-path.ts'

const below = (folder: string): string[] =>
  readdirSync(projectPath(folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

const written = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...below('docs').filter((name) => name.endsWith('.md')),
  ...below('src').filter((name) => name.endsWith('/README.md')),
]
const linked = [...written, 'CHANGELOG.md', ...below('docker').filter((name) => name.endsWith('/README.md'))]

const textOf = (name: string): string => readFileSync(projectPath(name), 'utf8')
/** Fenced blocks hold data and commands, which cannot be wrapped. */
const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')

it.each(written)('%s has no line over 400 characters', (name) => {
  expect(
    withoutBlocks(textOf(name))
      .split('\n')
      .filter((line) => line.length > 400),
  ).toEqual([])
})

it.each(linked)('%s links only to files that exist', (name) => {
  const links = [...withoutBlocks(textOf(name)).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(projectPath(join(dirname(name), link))))).toEqual([])
})

it('the README has at most 12 kB', () => {
  expect(statSync(projectPath('README.md')).size).toBeLessThanOrEqual(12_000)
})
