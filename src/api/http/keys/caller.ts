import { SHARED } from '../../../domain/intake/articles.ts'
import type { KeyChanged, Tier } from '../../../events/settings.ts'

/** Who asks: everything a handler may know of a key. The namespace comes from here and from nowhere else. */
export type Caller = Pick<KeyChanged, 'key_id' | 'tier' | 'namespace' | 'curator' | 'owner'>

const RANK: Readonly<Record<Tier, number>> = { starter: 0, professional: 1, enterprise: 2 }

export const includes = (tier: Tier, needed: Tier): boolean => RANK[tier] >= RANK[needed]

/** At home everybody may change stories; what all share only curators. */
export const mayCorrect = ({ curator, namespace }: Caller): boolean => curator || namespace !== SHARED
