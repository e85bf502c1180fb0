import type { Command } from 'commander'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { projectPath } from '../../src/config/project-path.ts'
import { cliProgram } from './cli-document.ts'

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/analyst-views.md',
  'docs/analysts.md',
  'docs/changes.md',
  'docs/cli.md',
  'docs/concepts.md',
  'docs/configuration.md',
  'docs/connectors.md',
  'docs/dashboard.md',
  'docs/echo.md',
  'docs/limits.md',
  'docs/live-changes.md',
  'docs/monitors.md',
  'docs/keys.md',
  'docs/reference.md',
  'docs/reprocess.md',
  'docs/operating.md',
  'docs/runbook.md',
  'docs/sizing.md',
  'docs/stores.md',
  'docs/upgrading.md',
  'docker/README.md',
  'docker/kubernetes/README.md',
  'docs/dead-letters.md',
  'docs/assistants.md',
  'docs/backup.md',
  'docs/producers.md',
  'docs/rebuild.md',
  'docs/topics.md',
  'docs/tutorial.md',
  'docs/webhooks.md',
  'src/api/README.md',
  'src/views/README.md',
]
const texts = DOCUMENTS.map((name) => [name, readFileSync(projectPath(name), 'utf8')] as const)

function understood(story: Command, line: string): boolean {
  let command = story
  for (const word of line.trim().split(/\s+/)) {
    const below = command.commands.find((one) => one.name() === word)
    if (below !== undefined) command = below
    else if (word.startsWith('--') && !command.options.some(({ long }) => long === word)) return false
  }
  return command !== story
}

/** The matches of a pattern in each document, with the document's name. */
const found = (pattern: RegExp): string[][] =>
  texts.flatMap(([name, text]) => [...text.matchAll(pattern)].map((match) => [name, match[1] ?? '']))

it.each(found(/^(?:npx )?story ([a-z][^#|`\n]*)/gm))(
  '%s shows a command that exists: story %s',
  async (_, line = '') => {
    expect(understood(await cliProgram(), line)).toBe(true)
  },
)

it.each(found(/^make ([a-z-]+)/gm))('%s names a make target that exists: %s', (_, target = '') => {
  expect(readFileSync(projectPath('Makefile'), 'utf8')).toContain(`\n${target}:`)
})
