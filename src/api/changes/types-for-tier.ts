import { z } from '@hono/zod-openapi'
import { CHANGE_TYPES, type ChangeType } from '../../events/changes.ts'
import type { Tier } from '../../events/settings.ts'
import { includes } from '../http/keys/caller.ts'
import { problem, type Problem } from '../http/problem.ts'

const NEEDS: Readonly<Partial<Record<ChangeType, Tier>>> = { 'story.enriched': 'professional' }

const isType = (name: string): name is ChangeType => CHANGE_TYPES.some((type) => type === name)

/** Comma-separated; left out or empty: all that the key's tier includes. */
export const typesParameter = () =>
  z
    .string()
    .max(1_000)
    .transform((text, context): ChangeType[] => {
      const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
      const strange = names.filter((name) => !isType(name))
      if (strange.length > 0) {
        const message = `unknown: ${strange.join(', ')}; there are ${CHANGE_TYPES.join(', ')}`
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
      return [...new Set(names.filter(isType))]
    })
    .optional()
    .openapi({
      type: 'string',
      description:
        `Comma-separated change types: ${CHANGE_TYPES.map((type) => `\`${type}\``).join(', ')}. ` +
        "`story.enriched` requires a professional key. Default: all types that the key's tier includes.",
      example: 'cluster.opened,trend.detected',
    })

/** What a key gets of what it asks for; a refusal where it asks by name for what its tier does not include. */
export function typesForTier(
  requested: readonly ChangeType[] | undefined,
  tier: Tier,
): readonly ChangeType[] | Problem {
  const isIncluded = (type: ChangeType): boolean => includes(tier, NEEDS[type] ?? 'starter')
  if (requested === undefined || requested.length === 0) return CHANGE_TYPES.filter(isIncluded)
  const refused = requested.find((type) => !isIncluded(type))
  if (refused === undefined) return requested
  return problem('tier_restricted', `${refused} requires a ${NEEDS[refused] ?? tier} key; yours is ${tier}`)
}
