import type { Command } from 'commander'

/**
 * Commander reports a missing required option before an unknown one, which hides the actual mistake. This reports the
 * unknown option first. For `configureOutput({ outputError })`.
 */
export function unknownOptionFirst(program: Command, words: readonly string[], message: string): string {
  if (!message.startsWith('error: required option')) return message
  const unknown = unknownOption(program, words)
  return unknown === null ? message : `error: unknown option '${unknown}'\n`
}

function unknownOption(program: Command, words: readonly string[]): string | null {
  let [command, rest] = [program, [...words]]
  for (;;) {
    const { operands, unknown } = command.parseOptions(rest)
    const subcommand = command.commands.find((one) => one.name() === operands[0])
    if (subcommand === undefined) return unknown.find((word) => word.startsWith('-')) ?? null
    command = subcommand
    rest = [...operands.slice(1), ...unknown]
  }
}
