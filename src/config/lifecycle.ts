import { z } from 'zod'
import { PLATFORMS } from '../events/discourse.ts'
import { LIFECYCLE, type LifecycleNumbers } from '../domain/lifecycle/lifecycle.ts'

/** A variable that holds a JSON object. */
export const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'expected a JSON object' })
    return z.NEVER
  }
})

const ms = z.int().positive()
const share = z.number().min(0).max(1)
const { breaking, developing, mature, contested } = LIFECYCLE
const thresholds = (byDefault: LifecycleNumbers['contested']['enters']) =>
  z
    .strictObject({
      controversy: share.default(byDefault.controversy),
      confidence: share.default(byDefault.confidence),
    })
    .prefault({})

const Contested = z
  .strictObject({
    platforms: z.array(z.enum(PLATFORMS)).default(['reddit', 'bluesky']),
    freshMs: ms.default(contested.freshMs),
    activeMs: ms.default(contested.activeMs),
    posts: z.int().min(0).default(contested.posts),
    enters: thresholds(contested.enters),
    leaves: thresholds(contested.leaves),
    aheadMs: z.int().min(0).default(contested.aheadMs),
  })
  .refine(({ enters, leaves }) => leaves.controversy <= enters.controversy && leaves.confidence <= enters.confidence, {
    path: ['leaves'],
    message: 'may not be above `enters`: a story would be contested and not contested in turn',
  })

/** Settings of the lifecycle rules, named as in `LifecycleNumbers`; omitted ones have their defaults. */
export const Lifecycle: z.ZodType<LifecycleNumbers> = z.strictObject({
  breaking: z
    .strictObject({
      youngMs: ms.default(breaking.youngMs),
      windowMs: ms.default(breaking.windowMs),
      origins: z.int().min(1).default(breaking.origins),
    })
    .prefault({}),
  developing: z
    .strictObject({
      youngMs: ms.default(developing.youngMs),
      windowMs: ms.default(developing.windowMs),
      shareOfPeak: share.default(developing.shareOfPeak),
    })
    .prefault({}),
  mature: z.strictObject({ youngMs: ms.default(mature.youngMs) }).prefault({}),
  contested: Contested.prefault({}),
})
