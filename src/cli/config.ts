import type { Command } from 'commander'
import type { Wiring } from './wiring.ts'

const SECRET = /password|token|secret/i

/** Keys in PEM, whatever stands before them; certificates are no secret, but nobody wants to read one here. */
const isSecret = (value: string, name: string): boolean => SECRET.test(name) || value.includes('-----BEGIN ')

/** The configuration with what nobody should read over a shoulder left out. */
export function printable(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return value !== '' && isSecret(value, name) ? '(set)' : value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, printable(inner, key)]))
}

const lines = (value: unknown, path: readonly string[] = []): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => lines(inner, [...path, key]))
    : [`${path.join('.').padEnd(36)} ${value === undefined ? '(not set)' : JSON.stringify(value)}`]

export const configCommand = (program: Command, { config, out }: Wiring): void => {
  program
    .command('config')
    .description(
      'the configuration as it is understood: environment, then a running `story up` of this home, then defaults',
    )
    .option('--json', 'one JSON object')
    .action(({ json }: { readonly json?: true }) => {
      const shown = printable(config)
      if (json) out.json(shown)
      else lines(shown).forEach((line) => out.line(line))
    })
}
