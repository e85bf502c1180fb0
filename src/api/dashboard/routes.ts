import { z } from '@hono/zod-openapi'
import { dashboardFiles } from './files.ts'
import { problem } from '../http/problem.ts'
import { defineOpenRoute, type Route } from '../http/route.ts'

const about = { method: 'get', tag: 'Service', status: 200, problems: ['not_found'] } as const
const shown = { ...about, forPeople: true, answer: z.unknown() } as const

/** The dashboard: one page and what it loads. Its data it asks for like any other client, with the reader's own key. */
export function dashboardRoutes(): readonly Route[] {
  const { index, asset } = dashboardFiles()
  return [
    defineOpenRoute(
      { ...shown, path: '/', summary: 'The dashboard', contentType: 'text/html; charset=utf-8', request: {} },
      async () => index() ?? problem('not_found', 'The dashboard is not built. Run `npm run build`'),
    ),
    defineOpenRoute(
      {
        ...shown,
        ...{ path: '/assets/{asset}', summary: 'What the dashboard loads', contentType: 'text/javascript' },
        request: { params: z.object({ asset: z.string() }) },
      },
      async ({ params }) => asset(params.asset) ?? problem('not_found', `There is nothing at /assets/${params.asset}`),
    ),
  ]
}
