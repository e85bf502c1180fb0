import { DAY_MS } from '../../../domain/days.ts'
import type { z } from 'zod'
import type { Clock } from '../../../ports/clock.ts'
import type { Http, HttpAnswer } from '../../../ports/http.ts'
import { requestWithin, numberIn, shaped, within } from '../request-within.ts'
import { nextMonth } from '../budget.ts'
import { PlatformUnavailable, isTrouble, Limited, PlatformRefused } from '../platform.ts'
import { TwitterProblem } from './shapes.ts'

export interface TwitterPorts {
  readonly http: Http
  readonly clock: Clock
  readonly token: string
  readonly url: string
}

export interface TwitterRequest<Out> {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly shape: z.ZodType<Out>
}

const LIMITED_MS = 60_000

/** The request contains a parameter that X does not accept. */
export class BadParameter extends PlatformUnavailable {
  readonly parameters: readonly string[]

  constructor(parameters: readonly string[]) {
    super('http_400')
    this.parameters = parameters
  }
}

/** A client of X's API that respects its rate limits, which are per path. */
export class TwitterClient {
  private readonly ports: TwitterPorts
  /** When each path may be requested again, milliseconds since 1970. */
  private readonly limitedUntil = new Map<string, number>()

  constructor(ports: TwitterPorts) {
    this.ports = ports
  }

  async ask<Out>({ path, query, shape }: TwitterRequest<Out>, signal: AbortSignal): Promise<Out> {
    const { http, clock, token, url } = this.ports
    const until = this.limitedUntil.get(path) ?? 0
    if (clock.now() < until) throw new Limited('rate_limit', until)

    const address = `${url.replace(/\/+$/, '')}${path}?${new URLSearchParams(query).toString()}`
    const headers = { authorization: `Bearer ${token}` }
    const answer = await requestWithin(http, { method: 'GET', url: address, headers, body: null }, signal)
    const now = clock.now()
    if (numberIn(answer, 'x-rate-limit-remaining') === 0) this.limitedUntil.set(path, resetOf(answer, now))
    if (answer.status === 200) return shaped(answer, shape)
    throw troubleOf(answer, now)
  }
}

/** 402: the credits are used up and an operator must buy more. */
const REFUSALS: readonly number[] = [401, 402, 403]

function troubleOf(answer: HttpAnswer, now: number): Error {
  const { status } = answer
  const problem = problemIn(answer)
  if (status === 429) return limitOf(answer, problem, now)
  if (REFUSALS.includes(status)) return new PlatformRefused(`http_${status}`)
  if (status === 400 && problem !== null) return new BadParameter(parametersOf(problem))
  return new PlatformUnavailable(`http_${status}`)
}

/** X returns the same status for an exceeded request rate and a used-up plan. */
function limitOf(answer: HttpAnswer, problem: TwitterProblem | null, now: number): Limited {
  const cappedUntil = problem === null ? null : capOf(problem, now)
  return cappedUntil === null
    ? new Limited('rate_limit', resetOf(answer, now))
    : new Limited('platform_cap', cappedUntil)
}

/** The header is in seconds since 1970. X sends no `Retry-After`. */
function resetOf(answer: HttpAnswer, now: number): number {
  const reset = numberIn(answer, 'x-rate-limit-reset')
  return within(reset === null ? now + LIMITED_MS : reset * 1000, now)
}

/** When the plan's quota is reset; `null` if the problem is another one. */
function capOf({ type, title, detail, period }: TwitterProblem, now: number): number | null {
  const text = [type, title, detail].join(' ')
  if (!/usage[-_ ]?cap/i.test(text)) return null
  return /month/i.test(period ?? text) ? nextMonth(now) : now - (now % DAY_MS) + DAY_MS
}

const parametersOf = ({ errors }: TwitterProblem): readonly string[] =>
  (errors ?? []).flatMap(({ parameters }) => Object.keys(parameters ?? {}))

/** `null` if the body is not a problem document, for example an HTML page. */
function problemIn(answer: HttpAnswer): TwitterProblem | null {
  try {
    return shaped(answer, TwitterProblem)
  } catch (cause) {
    if (isTrouble(cause)) return null
    throw cause
  }
}
