import { SHARED } from '../../../domain/intake/articles.ts'
import type { KeyChanged, Tier } from '../../../events/settings.ts'
import type { Scope } from './scopes.ts'

/** The caller: everything that a handler may know about a key. Always take the namespace from here. */
export interface Caller extends Pick<KeyChanged, 'key_id' | 'tier' | 'namespace' | 'owner'> {
  readonly scopes: readonly Scope[]
}

const RANK: Readonly<Record<Tier, number>> = { starter: 0, professional: 1, enterprise: 2 }

export const includes = (tier: Tier, needed: Tier): boolean => RANK[tier] >= RANK[needed]

/**
 * Whether the caller may see a setting. In a private namespace every key may; in the shared namespace only the key that
 * created it and the keys it was rotated to.
 */
export const maySee = (
  setting: Pick<Caller, 'namespace' | 'owner'>,
  { namespace, owner }: Pick<Caller, 'namespace' | 'owner'>,
): boolean => setting.namespace === namespace && (namespace !== SHARED || setting.owner === owner)

/** Whether the caller has the scope. In a private namespace, `write` includes `curate`. */
export const hasScope = ({ scopes, namespace }: Pick<Caller, 'scopes' | 'namespace'>, needed: Scope): boolean =>
  scopes.includes(needed) || (needed === 'curate' && namespace !== SHARED && scopes.includes('write'))
