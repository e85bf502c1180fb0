import type { Command } from 'commander'

/**
 * Commander reports a missing required option before an unknown one, which hides the actual mistake. This reports the
 * unknown option first. For `configureOutput({ outputError })`.
 */
export function unknownOptionFirst(program: Command, words: readonly string[], complaint: string): string {
  if (!complaint.startsWith('error: required option')) return complaint
  const unknown = unknownOption(program, words)
  return unknown === null ? complaint : `error: unknown option '${unknown}'\n`
}

function unknownOption(program: Command, words: readonly string[]): string | null {
  let [command, rest] = [program, [...words]]
  for (;;) {
    const { operands, unknown } = command.parseOptions(rest)
    const below = command.commands.find((one) => one.name() === operands[0])
    if (below === undefined) return unknown.find((word) => word.startsWith('-')) ?? null
    command = below
    rest = [...operands.slice(1), ...unknown]
  }
}
