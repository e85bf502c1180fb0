import type { Command } from 'commander'
import { changeOne, deleteOne, list, type WebhookListOptions } from '../operations/webhooks/endpoints.ts'
import type { Wiring } from '../ports/wiring.ts'
import type { CommandOptions } from '../operations/options.ts'

export const webhooksCommand = (program: Command, wiring: Wiring): void => {
  const group = program
    .command('webhooks')
    .description('manage webhook endpoints of all owners; secrets are never shown')
  group
    .command('list')
    .description('list endpoints, oldest first, and whether the owner has a live key')
    .option('--namespace <namespace>', 'only endpoints of this namespace')
    .option('--json', 'print one JSON object')
    .action((options: WebhookListOptions) => list(wiring, options))
  const changing = (name: string, description: string, run: (id: string, options: CommandOptions) => Promise<void>) =>
    group
      .command(name)
      .description(description)
      .argument('<id>', 'id of the endpoint, from `story webhooks list`')
      .option('--json', 'print one JSON object')
      .option('--dry-run', 'print what would be done, change nothing')
      .action(run)
  changing('disable', 'stop deliveries to an endpoint; its owner can enable it again', (id, options) =>
    changeOne(wiring, id, { ...options, status: 'disabled' }),
  )
  changing('enable', 'resume deliveries to an endpoint, from now on', (id, options) =>
    changeOne(wiring, id, { ...options, status: 'active' }),
  )
  changing('delete', 'delete an endpoint and its pending deliveries', (id, options) => deleteOne(wiring, id, options))
}
