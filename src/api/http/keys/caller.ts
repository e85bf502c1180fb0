import { SHARED } from '../../../domain/intake/articles.ts'
import type { KeyChanged, Tier } from '../../../events/settings.ts'

/** The caller: everything that a handler may know about a key. Always take the namespace from here. */
export type Caller = Pick<KeyChanged, 'key_id' | 'tier' | 'namespace' | 'curator' | 'owner'>

const RANK: Readonly<Record<Tier, number>> = { starter: 0, professional: 1, enterprise: 2 }

export const includes = (tier: Tier, needed: Tier): boolean => RANK[tier] >= RANK[needed]

/** In a private namespace every key may change stories; in the shared namespace only a curator's key may. */
export const mayCorrect = ({ curator, namespace }: Caller): boolean => curator || namespace !== SHARED
