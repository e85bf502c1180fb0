import type { KeyChanged } from '../../../events/settings.ts'

/**
 * What a key may do. `read`: all reads. `write`: send articles, manage webhooks and monitors, and every other change
 * without a scope of its own. `curate`: correct stories. `sources`: manage watched feeds.
 */
export const SCOPES = ['read', 'write', 'curate', 'sources'] as const

export type Scope = (typeof SCOPES)[number]

/** The scopes of a key that is created without `--scopes`, and of keys from before there were scopes. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write']

const DEFAULT_AND_CURATE: readonly Scope[] = [...DEFAULT_SCOPES, 'curate']

export const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name)

type Rights = Pick<KeyChanged, 'scopes' | 'curator'>

/**
 * The recorded scopes, including those of newer versions. A key from before there were scopes has none recorded: it
 * keeps what it could do then.
 */
export function recordedScopes({ scopes, curator }: Rights): readonly string[] {
  if (scopes.length > 0) return scopes
  return curator ? DEFAULT_AND_CURATE : DEFAULT_SCOPES
}

/** The scopes of a key in the order of `SCOPES`. Names that this version does not know are ignored. */
export function scopesOf(key: Rights): readonly Scope[] {
  const recorded = recordedScopes(key)
  return SCOPES.filter((scope) => recorded.includes(scope))
}
