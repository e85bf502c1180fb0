import { monitorsChanged, type MonitorChanged } from '../../events/monitors.ts'
import { SettingBook } from './setting-book.ts'

/** Every monitor in `monitors.changed`, deleted ones included, with sealed targets of channels. */
export class MonitorBook extends SettingBook<MonitorChanged> {
  constructor() {
    super(monitorsChanged, ({ monitor_id }) => monitor_id)
  }
}
