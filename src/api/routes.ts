import { PATIENCE_MS } from './away.ts'
import type { Dependencies } from './dependencies.ts'
import { refusing } from './graph/refusing.ts'
import type { Route } from './route.ts'
import { articleRoutes } from './routes/articles.ts'
import { clusterRoutes } from './routes/clusters.ts'
import { correctionRoutes } from './routes/corrections.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { documentRoutes } from './routes/document.ts'
import { echoHealthRoutes } from './routes/echo-health.ts'
import { echoRoutes } from './routes/echo.ts'
import { entityRoutes } from './routes/entities.ts'
import { entityTimelineRoutes } from './routes/entity-timelines.ts'
import { feedRoutes } from './routes/events.ts'
import { graphRoutes } from './routes/graph.ts'
import { healthRoutes } from './routes/health.ts'
import { jobRoutes } from './routes/jobs.ts'
import { layer1EntityRoutes } from './routes/layer1-entities.ts'
import { layer1ProcessRoutes } from './routes/layer1-process.ts'
import { pipelineRoutes } from './routes/pipeline.ts'
import { qualityRoutes } from './routes/quality.ts'
import { relationshipRoutes } from './routes/relationships.ts'
import { searchRoutes } from './routes/search.ts'
import { storyRoutes } from './routes/stories.ts'
import { trendRoutes } from './routes/trends.ts'
import { webhookRoutes } from './routes/webhooks.ts'

/** Half a second of clients that poll and a burst of those that reload: shorter than views lag behind the log. */
const FRESH_MS = 1_000
/** A feed reports what is new. */
const isFeed = ({ path }: Route): boolean => path.endsWith('/changes')

/** Reads of views as they stand: asked again within the second they have the same answer. */
const reads = (routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => {
    if (route.method !== 'get') return route
    const isKept = route.cost === 'request' && !isFeed(route)
    return { ...route, patienceMs: PATIENCE_MS, ...(isKept ? { freshMs: FRESH_MS } : {}) }
  })

/** Every route of the service, in the order of the document. */
export function allRoutes(dependencies: Dependencies): readonly Route[] {
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
    ...reads(entityTimelineRoutes(dependencies)),
    ...reads(relationshipRoutes(dependencies)),
    ...reads(trendRoutes(dependencies)),
    ...reads(graphRoutes(dependencies)),
    ...reads(echoRoutes(dependencies)),
    ...feedRoutes(dependencies),
    ...webhookRoutes(dependencies),
    ...reads(qualityRoutes(dependencies)),
    ...reads(pipelineRoutes(dependencies)),
  ]
  return [...routes.map(refusing(dependencies)), ...documentRoutes(routes, dependencies), ...dashboardRoutes()]
}
