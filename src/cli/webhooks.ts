import type { Command } from 'commander'
import { changeOne, deleteOne } from '../operations/webhooks/change.ts'
import { list, type WebhookListOptions } from '../operations/webhooks/list.ts'
import type { ChangeOptions } from '../operations/webhooks/webhook-lines.ts'
import type { Wiring } from '../ports/wiring.ts'

export const webhooksCommand = (program: Command, wiring: Wiring): void => {
  const group = program
    .command('webhooks')
    .description('webhook endpoints of every owner; their secrets are never shown')
  group
    .command('list')
    .description('every endpoint, oldest first, and whether a key of its owner is still live')
    .option('--namespace <namespace>', 'of this one alone')
    .option('--json', 'one JSON object')
    .action((options: WebhookListOptions) => list(wiring, options))
  const changing = (name: string, description: string, run: (id: string, options: ChangeOptions) => Promise<void>) =>
    group
      .command(name)
      .description(description)
      .argument('<id>', 'of the endpoint, as `webhooks list` shows it')
      .option('--json', 'one JSON object')
      .option('--dry-run', 'only say what would be done')
      .action(run)
  changing('disable', 'send nothing more to it; its owner may take it up again', async (id, options) => {
    await changeOne(wiring, id, { ...options, status: 'disabled' })
  })
  changing('enable', 'send to it again, from now on', async (id, options) => {
    await changeOne(wiring, id, { ...options, status: 'active' })
  })
  changing('delete', 'it ends with all that waits for it', (id, options) => deleteOne(wiring, id, options))
}
