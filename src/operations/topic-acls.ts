import { deadTopic } from '../runtime/dead-letter.ts'
import type { TopicFile } from '../config/topics.ts'

/** The Kafka principals, one for each kind of process. */
export const PRINCIPALS = [
  'producers',
  'connectors',
  'import',
  'scheduler',
  'api',
  'stages',
  'delivered',
  'feeds',
  'views',
  'operator',
] as const
export type PrincipalName = (typeof PRINCIPALS)[number]

/** One `kafka-acls.sh --add`: the operations a principal may perform on resources of one type. */
export interface Grant {
  readonly principal: PrincipalName
  readonly resource: 'topic' | 'group' | 'transactional-id' | 'cluster'
  /** `*` matches every resource of the type. A cluster has no name. */
  readonly names: readonly string[]
  readonly operations: readonly string[]
}

/**
 * The permissions in Kafka. A topic is written by the parts listed in its file, and its dead letters by its readers. All
 * principals except `producers` and `connectors` can read all topics. Connectors can read what they have published.
 * `suffix`: the end of the names of the topics in Kafka.
 */
export function grants(files: ReadonlyMap<string, TopicFile>, suffix = ''): readonly Grant[] {
  const stored = (grant: Grant): Grant => ({ ...grant, names: grant.names.map((name) => `${name}${suffix}`) })
  return PRINCIPALS.flatMap((principal) => [...OWN[principal], ...writes(principal, files).map(stored)])
}

function writes(principal: PrincipalName, files: ReadonlyMap<string, TopicFile>): readonly Grant[] {
  if (principal === 'operator') return []
  const isNamed = (parts: readonly string[]): boolean => parts.some((part) => principalOf(part) === principal)
  const names = [...files].flatMap(([name, file]) => [
    ...(isNamed(file['written-by']) ? [name] : []),
    ...(isNamed(file['read-by']) && file['dead-letters'] !== undefined ? [deadTopic(name)] : []),
  ])
  const published = principal === 'connectors' ? ['Write', 'Read'] : ['Write']
  return names.length === 0 ? [] : [{ principal, resource: 'topic', names, operations: published }]
}

/** The principal for a part named in `written-by` or `read-by`. */
function principalOf(part: string): PrincipalName {
  if (part.startsWith('view:')) return 'views'
  if (part === 'http') return 'api'
  // keys and feeds are managed by operator commands
  if (part === 'keys' || part === 'operators') return 'operator'
  return PRINCIPALS.find((name) => name === part) ?? 'stages'
}

const TOPIC_OPERATIONS = ['Read', 'Write', 'Describe', 'DescribeConfigs', 'Create', 'Alter', 'AlterConfigs', 'Delete']

/** Permissions that do not depend on the topics. `Read` and `Write` include `Describe`. */
const OWN: Readonly<Record<PrincipalName, readonly Grant[]>> = {
  producers: [],
  connectors: [],
  import: readsTopicsAndGroupOffsets('import'),
  scheduler: readsTopicsAndGroupOffsets('scheduler'),
  api: readsTopicsAndGroupOffsets('api'),
  stages: [...consumerGroupMember('stages'), every('stages', 'transactional-id', 'Write')],
  delivered: [...consumerGroupMember('delivered'), every('delivered', 'transactional-id', 'Write')],
  feeds: consumerGroupMember('feeds'),
  views: consumerGroupMember('views'),
  // `topics apply`, `topics replicate` (alters the cluster), `keys`, `dead`, `reprocess`, `archive`
  operator: [
    every('operator', 'topic', ...TOPIC_OPERATIONS),
    every('operator', 'group', 'Read', 'Delete'),
    every('operator', 'cluster', 'DescribeConfigs', 'Alter'),
    every('operator', 'transactional-id', 'Write'),
  ],
}

function readsTopicsAndGroupOffsets(principal: PrincipalName): readonly Grant[] {
  return [every(principal, 'topic', 'Read'), every(principal, 'group', 'Describe')]
}

function consumerGroupMember(principal: PrincipalName): readonly Grant[] {
  return [
    every(principal, 'topic', 'Read'),
    every(principal, 'group', 'Read'),
    every(principal, 'cluster', 'DescribeConfigs'), // reads the minimum session timeout of the brokers
  ]
}

/** A grant for every resource of one type. */
function every(principal: PrincipalName, resource: Grant['resource'], ...operations: readonly string[]): Grant {
  return { principal, resource, names: resource === 'cluster' ? [] : ['*'], operations }
}

/** The arguments of Kafka's `kafka-acls.sh` for a grant to `User:<prefix><principal>`. */
export const aclArguments = ({ principal, resource, names, operations }: Grant, prefix: string): readonly string[] => [
  '--add',
  ...['--allow-principal', `User:${prefix}${principal}`],
  ...operations.flatMap((operation) => ['--operation', operation]),
  ...(resource === 'cluster' ? ['--cluster'] : names.flatMap((name) => [`--${resource}`, name])),
]
