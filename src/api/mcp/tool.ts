import { z } from 'zod'
import type { Tier } from '../../events/settings.ts'
import { bounded } from './text.ts'

/** A response of the REST API. */
export interface RestResponse {
  readonly status: number
  readonly body: unknown
}

/** Sends a GET request with the caller's key. `target` is path and query. */
export type RestGet = (target: string) => Promise<RestResponse>

/** What a tool returns: structured content and the same as compact text, or an error that says what to do. */
export type ToolResult =
  | { readonly kind: 'content'; readonly content: Readonly<Record<string, unknown>>; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }

interface ToolParts<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** Snake case; never changes. */
  readonly name: string
  readonly title: string
  /** From this a model decides whether to call the tool. */
  readonly description: string
  /** The lowest tier that all its requests need. */
  readonly tier: Tier
  readonly input: Input
  readonly output: Output
  /** The requests that it starts with, sent at the same time; if one fails, the tool returns an error. */
  readonly requests: (input: z.output<Input>) => readonly string[]
  /** Requests that depend on the first responses. Those that fail are left out. */
  readonly more?: (bodies: readonly unknown[], input: z.output<Input>) => readonly string[]
  /** Selects and shortens. `bodies` are in the order of the requests. */
  readonly shape: (bodies: ToolBodies, input: z.output<Input>) => z.input<Output>
  readonly text: (content: z.output<Output>) => readonly string[]
}

interface ToolBodies {
  readonly first: readonly unknown[]
  /** Of the requests of `more` that succeeded. */
  readonly more: readonly unknown[]
}

/** A tool of the assistants' interface. */
export interface AssistantTool extends Pick<
  ToolParts<z.ZodObject, z.ZodObject>,
  'name' | 'title' | 'description' | 'tier' | 'input' | 'output'
> {
  readonly call: (input: unknown, get: RestGet) => Promise<ToolResult>
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  parts: ToolParts<Input, Output>,
): AssistantTool {
  const { name, title, description, tier, input: Input, output: Output, requests, more, shape, text } = parts
  return {
    ...{ name, title, description, tier, input: Input, output: Output },
    call: async (given, get) => {
      const input = Input.parse(given)
      const responses = await Promise.all(requests(input).map(get))
      const failed = responses.find(({ status }) => status >= 400)
      if (failed !== undefined) return { kind: 'error', text: errorText(failed) }

      const first = responses.map(({ body }) => body)
      const others = await Promise.all((more?.(first, input) ?? []).map(get))
      const found = others.filter(({ status }) => status < 400).map(({ body }) => body)
      const content = Output.parse(shape({ first, more: found }, input))
      return { kind: 'content', content, text: bounded(text(content)) }
    },
  }
}

/** A path with its query; parameters that are `undefined` are left out. */
export function target(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(Object.fromEntries(given)).toString()}`
}

const ErrorBody = z.object({ code: z.string(), detail: z.string() })

/** What to do about an error. Others say it in their detail. */
const ADVICE: Readonly<Record<string, string>> = {
  article_not_found: 'Take ids of articles from search_articles or get_story.',
  cluster_not_found: 'Take ids of stories from search_stories or search_articles.',
  entity_not_found: 'Find names and ids with list_entities, with a longer time_range if needed.',
  no_enrichment: 'Call get_public_response without story_id to list stories that have posts.',
  tier_restricted: 'Other tools work with this key; the operator issues keys of a higher tier.',
  cursor_expired: 'Call the tool again with since in place of cursor.',
  invalid_api_key: 'Set a valid key in the configuration of the client.',
  unavailable: 'Try again in a few seconds.',
}

/** The detail of a problem names the id, the parameter, the tier or the scope. */
function errorText({ status, body }: RestResponse): string {
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success) return `The service answered with status ${status}. Try again in a few seconds.`
  const { code, detail } = parsed.data
  const advice = ADVICE[code]
  return `${detail} (${code}).${advice === undefined ? '' : ` ${advice}`}`
}
