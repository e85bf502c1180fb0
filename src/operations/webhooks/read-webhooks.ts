import { UpToDate } from '../../state/settings/book.ts'
import { WebhookBook } from '../../state/settings/webhooks.ts'
import type { Wiring } from '../../ports/wiring.ts'

/** Every endpoint as the log has it whenever it is asked. */
export const webhooksOf = async (wiring: Wiring): Promise<UpToDate<WebhookBook>> =>
  new UpToDate(new WebhookBook(), {
    log: await wiring.log(),
    codec: await wiring.codec(),
    clock: wiring.clock,
    onStrange: (offsets) => wiring.logger.warn({ offsets }, 'webhooks_not_understood'),
  })
