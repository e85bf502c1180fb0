import {
  NO_CONDITIONS,
  type MonitorChanged,
  type MonitorChannel,
  type MonitorConditions,
  type StoryMatched,
} from '../../src/events/monitors.ts'
import { A_DAY } from './articles.ts'

export const aMonitor = ({
  conditions,
  ...over
}: Partial<Omit<MonitorChanged, 'conditions'>> & {
  readonly conditions?: Partial<MonitorConditions>
} = {}): MonitorChanged => ({
  monitor_id: 'mon_a',
  namespace: 'shared',
  owner: 'key_a',
  key_id: 'key_a',
  name: 'Rain',
  conditions: { ...NO_CONDITIONS, ...conditions },
  conditions_version: 1,
  quiet_hours: null,
  digest_at: null,
  time_zone: 'UTC',
  max_per_day: 50,
  channels: [],
  feed_token_hash: null,
  status: 'active',
  created_at: A_DAY,
  updated_at: A_DAY,
  ...over,
})

export const aChannel = (over: Partial<MonitorChannel> = {}): MonitorChannel => ({
  channel_id: 'chn_a',
  type: 'slack',
  sealed_target: Buffer.from([1, 2, 3]),
  hint: 'hooks.slack.com',
  status: 'active',
  disabled_reason: null,
  created_at: A_DAY,
  ...over,
})

export const aMatch = (over: Partial<StoryMatched> = {}): StoryMatched => ({
  event_id: 'evt_match',
  namespace: 'shared',
  occurred_at: A_DAY,
  caused_by: { topic: 'articles.clustered', partition: 0, offset: 3 },
  produced_by: { stage: 'matched', version: '1' },
  type: 'monitor.matched',
  monitor_id: 'mon_a',
  monitor_name: 'Rain',
  owner: 'key_a',
  conditions_version: 1,
  notify: true,
  stories: [
    {
      cluster_id: 'sto_a',
      title: 'Rain in the north',
      url: 'https://times.example.com/rain',
      source: 'The Times',
      article_ids: ['art_a'],
      article_count: 2,
      origin_count: 2,
      lifecycle_state: 'breaking',
      velocity: 2,
      sentiment_score: -0.25,
      matched_at: A_DAY,
    },
  ],
  ...over,
})
