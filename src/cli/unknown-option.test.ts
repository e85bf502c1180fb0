import { Command } from 'commander'
import { expect, it } from 'vitest'
import { unknownOptionFirst } from './unknown-option.ts'

/** The error message for a command line, with a program set up like `story`. */
async function complaint(...words: string[]): Promise<string> {
  let said = ''
  const program = new Command('story').exitOverride()
  program.configureOutput({
    outputError: (text) => {
      said += unknownOptionFirst(program, words, text)
    },
  })
  program
    .command('keys')
    .command('create')
    .requiredOption('--tier <tier>')
    .option('--curator')
    .action(() => undefined)
  await program.parseAsync(words, { from: 'user' }).catch(() => undefined)
  return said
}

it.each([
  [['keys', 'create', '--read-only'], "error: unknown option '--read-only'\n"],
  [['keys', 'create', '--curator', '--read-only=x'], "error: unknown option '--read-only=x'\n"],
  [['keys', 'create', '--curator'], "error: required option '--tier <tier>' not specified\n"],
  [['keys', 'create', '--tier', 'starter', '--read-only'], "error: unknown option '--read-only'\n"],
  [['keys', 'create', '--tier', 'starter'], ''],
])('reports the unknown option before the missing one: %j', async (words, expected) => {
  expect(await complaint(...words)).toBe(expected)
})
