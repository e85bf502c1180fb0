import type { Context, MiddlewareHandler } from 'hono'
import { setTimeout } from 'node:timers/promises'
import type { Platform } from '../../src/events/discourse.ts'

export type TroubleKind =
  | 'http_503'
  | 'html_403'
  | 'rate_limit'
  /** X: the month's posts are used up, told as a 429 too. */
  | 'usage_cap'
  /** Half of the JSON. */
  | 'cut_off'
  /** The connection breaks in place of an answer. */
  | 'hang_up'
  /** JSON, but nothing that was asked for. */
  | 'wrong_shape'
  | 'slow'
  /** The access token runs out; where there is a way to renew it, a new one works. */
  | 'expired_token'
  /** Bluesky: the refresh token too. */
  | 'expired_session'

export interface StandInTrouble {
  readonly platform: Platform
  readonly kind: TroubleKind
  /** How many of the next requests (to get a token is none) it meets; null: all until it is calm again. Left out: 1. */
  readonly next?: number | null
  /** `rate_limit`: when it ends; `slow`: how long an answer takes. */
  readonly seconds?: number
}

/** How a platform says what goes wrong in its own way. */
export interface Manners {
  readonly platform: Platform
  /** Whether who asks may; null: yes. */
  readonly refusal: (c: Context) => Response | null
  readonly limited: (c: Context, seconds: number) => Response
  readonly expired: (c: Context, all: boolean) => Response
}

const SLOW_SECONDS = 30
const LIMITED_SECONDS = 60
const FORBIDDEN_PAGE =
  '<html>\n<head><title>403 Forbidden</title></head>\n<body>\n<h1>403 Forbidden</h1>\n</body>\n</html>'

export class Troubles {
  private readonly waiting: { -readonly [Key in keyof StandInTrouble]: StandInTrouble[Key] }[] = []

  add(trouble: StandInTrouble): void {
    this.waiting.push({ next: 1, ...trouble })
  }

  calm(platform: Platform): void {
    const others = this.waiting.filter((trouble) => trouble.platform !== platform)
    this.waiting.splice(0, Infinity, ...others)
  }

  /** The trouble the next request of a platform has. */
  take(platform: Platform): StandInTrouble | null {
    const trouble = this.waiting.find((one) => one.platform === platform)
    if (trouble === undefined) return null
    if (typeof trouble.next === 'number' && --trouble.next <= 0) this.waiting.splice(this.waiting.indexOf(trouble), 1)
    return trouble
  }

  /** In front of what a platform answers: who may not ask hears so, then comes the trouble that is on. */
  middleware(manners: Manners): MiddlewareHandler {
    return async (c, next) => {
      const refusal = manners.refusal(c)
      if (refusal !== null) return refusal
      const trouble = this.take(manners.platform)
      if (trouble === null) {
        await next()
        return undefined
      }
      const instead = answered(c, { trouble, manners })
      if (instead !== null) return instead
      if (trouble.kind === 'slow') await setTimeout((trouble.seconds ?? SLOW_SECONDS) * 1000, null, { ref: false })
      await next()
      if (trouble.kind === 'cut_off') await cutOff(c)
      return undefined
    }
  }
}

function answered(c: Context, { trouble, manners }: { trouble: StandInTrouble; manners: Manners }): Response | null {
  switch (trouble.kind) {
    case 'http_503':
      return c.text('upstream connect error or disconnect/reset before headers', 503)
    case 'html_403':
      return forbidden(c)
    case 'rate_limit':
      return manners.limited(c, trouble.seconds ?? LIMITED_SECONDS)
    case 'usage_cap':
      return c.json(
        {
          title: 'UsageCapExceeded',
          detail: 'Usage cap exceeded: Monthly product cap',
          type: 'https://api.twitter.com/2/problems/usage-capped',
          period: 'Monthly',
          scope: 'Product',
        },
        429,
      )
    case 'hang_up':
      hangUp(c)
      return c.body(null)
    case 'wrong_shape':
      return c.json({ posts: 'none', data: 17, kind: null })
    case 'expired_token':
    case 'expired_session':
      return manners.expired(c, trouble.kind === 'expired_session')
    default:
      return null
  }
}

/** A page for people where a program asked. */
export const forbidden = (c: Context): Response => c.html(FORBIDDEN_PAGE, 403)

function hangUp(c: Context): void {
  const { incoming } = c.env as { incoming?: { socket: { destroy(): void } } }
  incoming?.socket.destroy()
}

async function cutOff(c: Context): Promise<void> {
  const whole = await c.res.text()
  const { status, headers } = c.res
  headers.delete('content-length')
  c.res = new Response(whole.slice(0, Math.floor(whole.length / 2)), { status, headers })
}
