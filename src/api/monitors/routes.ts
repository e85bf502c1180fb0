import { z } from '@hono/zod-openapi'
import type { MonitorChanged } from '../../events/monitors.ts'
import { cursors } from '../../views/cursor.ts'
import type { Dependencies } from '../http/dependencies.ts'
import { idempotencyKey } from '../http/idempotency.ts'
import { paging } from '../http/parameters.ts'
import { isProblem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { Monitor, MonitorPatch, monitorParams as params, Monitors, NewMonitor, patched, shownMonitor } from './body.ts'
import { channelRoutes } from './channels.ts'
import { confirmationLimit, type ConfirmationLimit } from './confirmation.ts'
import { creatingMonitors } from './create.ts'
import { feedRoutes } from './feed.ts'
import { linkRoutes } from './links.ts'
import { matchesRoute } from './matches.ts'
import { testRoutes } from './testing.ts'
import { monitorSettings, type MonitorSettings, MOST_MONITORS } from './monitor-settings.ts'

const keyed = { tag: 'Monitors', tier: 'starter', cost: 'request' } as const
const SAFE_AGAIN = idempotencyKey(
  'returns the same monitor in its current state; after it was deleted, a new one is created',
)
const NOT_THERE = ['monitor_not_found'] as const
const positions = cursors('monitors', z.object({ created_at: z.number(), monitor_id: z.string() }))

/** Monitors: saved searches over stories, whose matches are listed, sent to channels and read as feeds. */
export function monitorRoutes(dependencies: Dependencies): readonly Route[] {
  const known = monitorSettings(dependencies)
  const limit = confirmationLimit()
  return [
    create(dependencies, known, limit),
    list(known),
    one(known),
    patch(known),
    remove(known),
    matchesRoute(dependencies, known),
    ...testRoutes(dependencies, known),
    ...channelRoutes({ dependencies, known, limit }),
    ...feedRoutes(dependencies, known),
    ...linkRoutes(dependencies, known),
  ]
}

function create(dependencies: Dependencies, known: MonitorSettings, limit: ConfirmationLimit): Route {
  const make = creatingMonitors(dependencies, known, limit)
  const path = '/v1/monitors'
  const { starter, professional, enterprise } = MOST_MONITORS
  return defineRoute(
    {
      ...keyed,
      method: 'post',
      path,
      status: 201,
      operationId: 'createMonitor',
      summary: 'Create a monitor',
      description:
        'A monitor matches every story that meets its conditions from now on, once. In the shared namespace it is ' +
        'visible to the key that created it and to keys rotated from that key; in a private namespace it is visible to ' +
        `all keys. A starter key may have ${starter} monitors, a professional key ${professional}, an enterprise key ` +
        `${enterprise}.`,
      problems: [
        ...(['url_not_allowed', 'email_not_configured', 'monitor_limit_reached', 'idempotency_key_reused'] as const),
      ],
      request: { headers: SAFE_AGAIN, body: NewMonitor },
      answer: Monitor,
    },
    async ({ headers, body }, context) => {
      const made = await make({ path, body, key: headers['Idempotency-Key'] }, context)
      return isProblem(made) ? made : shownMonitor(made)
    },
  )
}

const list = (known: MonitorSettings): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/v1/monitors',
      status: 200,
      operationId: 'listMonitors',
      summary: 'List monitors',
      description: 'Returns the monitors that the key can see, oldest first.',
      request: { query: z.object(paging({ limit: 100, max: 1_000 })) },
      answer: Monitors,
    },
    async ({ query: { limit, cursor } }, { caller }) => {
      const after = positions.begin(cursor, {}, { created_at: -1, monitor_id: '' })
      const rest = (await known.of(caller)).filter((monitor) => isAfter(monitor, after))
      const page = rest.slice(0, limit)
      const last = rest.length > limit ? page.at(-1) : undefined
      const next_cursor =
        last === undefined ? null : positions.write({ created_at: last.created_at, monitor_id: last.monitor_id }, {})
      return { monitors: page.map(shownMonitor), next_cursor }
    },
  )

const isAfter = (
  { created_at, monitor_id }: MonitorChanged,
  position: Pick<MonitorChanged, 'created_at' | 'monitor_id'>,
): boolean =>
  created_at > position.created_at || (created_at === position.created_at && monitor_id > position.monitor_id)

const one = (known: MonitorSettings): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'get',
      path: '/v1/monitors/{monitor_id}',
      status: 200,
      operationId: 'getMonitor',
      summary: 'Retrieve a monitor',
      description: 'Returns a monitor in its current state, without the targets of its channels.',
      problems: NOT_THERE,
      request: { params },
      answer: Monitor,
    },
    async ({ params: { monitor_id } }, { caller }) => {
      const found = await known.find(monitor_id, caller)
      return isProblem(found) ? found : shownMonitor(found)
    },
  )

const patch = (known: MonitorSettings): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'patch',
      path: '/v1/monitors/{monitor_id}',
      status: 200,
      operationId: 'updateMonitor',
      summary: 'Update a monitor',
      description:
        'Fields that are omitted keep their value; `conditions` replaces all conditions. Stories that matched earlier ' +
        'conditions may match again.',
      problems: NOT_THERE,
      request: { params, body: MonitorPatch },
      answer: Monitor,
    },
    async ({ params: { monitor_id }, body }, { caller, now }) => {
      const changed = await known.change(monitor_id, caller, (found) => patched(found, body, now))
      return isProblem(changed) ? changed : shownMonitor(changed)
    },
  )

const remove = (known: MonitorSettings): Route =>
  defineRoute(
    {
      ...keyed,
      method: 'delete',
      path: '/v1/monitors/{monitor_id}',
      status: 204,
      operationId: 'deleteMonitor',
      summary: 'Delete a monitor',
      description:
        'It matches no more stories. Its channels and its Atom feed are removed, and its matches can no longer be ' +
        'retrieved.',
      problems: NOT_THERE,
      request: { params },
      answer: z.null(),
    },
    async ({ params: { monitor_id } }, { caller, now }) => (await known.remove(monitor_id, caller, now)) ?? null,
  )
