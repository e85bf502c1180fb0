import { monitorsChanged, type MonitorChanged, type MonitorChannel } from '../../events/monitors.ts'
import { SettingBook } from './setting-book.ts'

/** A channel and the monitor that it belongs to. */
export interface ChannelOfMonitor {
  readonly monitor: MonitorChanged
  readonly channel: MonitorChannel
}

/** Every monitor in `monitors.changed`, deleted ones included, with sealed targets of channels. */
export class MonitorBook extends SettingBook<MonitorChanged> {
  private readonly monitorOfChannel = new Map<string, string>()

  constructor() {
    super(monitorsChanged, ({ monitor_id }) => monitor_id)
  }

  /** `null` if no monitor has the channel. */
  channel(channelId: string): ChannelOfMonitor | null {
    const monitor = this.get(this.monitorOfChannel.get(channelId) ?? '')
    const channel = monitor?.channels.find(({ channel_id }) => channel_id === channelId)
    return monitor === null || channel === undefined ? null : { monitor, channel }
  }

  protected override changed(before: MonitorChanged | null, now: MonitorChanged | null): void {
    super.changed(before, now)
    for (const { channel_id } of before?.channels ?? []) this.monitorOfChannel.delete(channel_id)
    if (now === null) return
    for (const { channel_id } of now.channels) this.monitorOfChannel.set(channel_id, now.monitor_id)
  }
}
