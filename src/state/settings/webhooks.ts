import { webhooksChanged, type WebhookChanged } from '../../events/webhooks.ts'
import { SettingBook } from './setting-book.ts'

/** Every webhook endpoint in `webhooks.changed`, with sealed secrets. */
export class WebhookBook extends SettingBook<WebhookChanged> {
  constructor() {
    super(webhooksChanged)
  }
}
