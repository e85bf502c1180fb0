import type { Command } from 'commander'
import type { Wiring } from '../ports/wiring.ts'
import { ROLES, SHORT_ROLES, startRoles } from '../wiring/roles.ts'

export const startCommand = (program: Command, wiring: Wiring): void => {
  program
    .command('start')
    .description('run roles in this process, connected to the configured Kafka, registry and ClickHouse')
    .argument('<role...>', `roles to run: ${Object.keys(SHORT_ROLES).join(', ')}, ${rolesText()}`)
    .action((named: readonly string[]) => startRoles(wiring, named))
}

/** Views as one expression: their names would make the line too long. */
function rolesText(): string {
  const views = ROLES.filter((role) => role.startsWith('view:')).map((role) => role.slice('view:'.length))
  const others = ROLES.filter((role) => !role.startsWith('view:'))
  return `${others.join(', ')}, view:NAME (NAME: ${views.join(', ')})`
}
