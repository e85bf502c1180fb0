import { ENGINE_TIMEOUT_MS } from './http/engine-deadline.ts'
import type { Dependencies } from './http/dependencies.ts'
import type { Serve } from './http/app.ts'
import { refusing, graphRoutes } from './graph/routes.ts'
import type { Route } from './http/route.ts'
import { articleRoutes } from './articles/routes.ts'
import { clusterRoutes } from './clusters/routes.ts'
import { correctionRoutes } from './corrections/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { documentRoutes } from './docs/routes.ts'
import { echoHealthRoutes } from './echo/health.ts'
import { echoRoutes } from './echo/routes.ts'
import { entityRoutes, layer1EntityRoutes } from './entities/routes.ts'
import { feedRoutes } from './changes/routes.ts'
import { watchedFeedRoutes } from './feeds/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { jobRoutes } from './jobs/routes.ts'
import { layer1ProcessRoutes } from './layer1/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { monitorRoutes } from './monitors/routes.ts'
import { pipelineRoutes } from './pipeline/routes.ts'
import { qualityRoutes } from './quality/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { storyRoutes } from './stories/routes.ts'
import { trendRoutes } from './trends/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Covers clients that poll every half second and bursts of reloads. Shorter than the lag of the views. */
const FRESH_MS = 1_000
/** A feed returns new data, so it is not cached. */
const isFeed = ({ path }: Route): boolean => path.endsWith('/changes')

/**
 * Marks routes that read views as cacheable: within `FRESH_MS` the response does not change. The fast path checks the
 * scope `read` only, so routes with another scope are not cached.
 */
const reads = (routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => {
    if (route.method !== 'get') return route
    const isKept = route.cost === 'request' && route.scope === 'read' && !isFeed(route)
    return { ...route, timeoutMs: ENGINE_TIMEOUT_MS, ...(isKept ? { freshMs: FRESH_MS } : {}) }
  })

/** Every route of the service, in the order of the document. */
export function allRoutes(dependencies: Dependencies, serve: Serve): readonly Route[] {
  const routes = [
    ...healthRoutes(dependencies),
    ...echoHealthRoutes(dependencies),
    ...jobRoutes(dependencies),
    ...reads(articleRoutes(dependencies)),
    ...reads(searchRoutes(dependencies)),
    ...layer1ProcessRoutes(dependencies),
    ...reads(layer1EntityRoutes(dependencies)),
    ...reads(clusterRoutes(dependencies)),
    ...reads(storyRoutes(dependencies)),
    ...correctionRoutes(dependencies),
    ...reads(entityRoutes(dependencies)),
    ...reads(trendRoutes(dependencies)),
    ...reads(graphRoutes(dependencies)),
    ...reads(echoRoutes(dependencies)),
    ...feedRoutes(dependencies),
    ...watchedFeedRoutes(dependencies),
    ...webhookRoutes(dependencies),
    ...monitorRoutes(dependencies),
    ...reads(qualityRoutes(dependencies)),
    ...reads(pipelineRoutes(dependencies)),
  ]
  return [
    ...routes.map(refusing(dependencies)),
    ...documentRoutes(routes, dependencies),
    ...dashboardRoutes(),
    ...mcpRoutes(dependencies, serve),
  ]
}
