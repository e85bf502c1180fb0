import type { Dependencies } from './dependencies.ts'
import { refusing } from './graph/refusing.ts'
import type { Route } from './route.ts'
import { articleRoutes } from './routes/articles.ts'
import { clusterRoutes } from './routes/clusters.ts'
import { correctionRoutes } from './routes/corrections.ts'
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
import { qualityRoutes } from './routes/quality.ts'
import { relationshipRoutes } from './routes/relationships.ts'
import { searchRoutes } from './routes/search.ts'
import { storyRoutes } from './routes/stories.ts'
import { trendRoutes } from './routes/trends.ts'
import { webhookRoutes } from './routes/webhooks.ts'

/** Every route of the service, in the order of the document. */
export function allRoutes(dependencies: Dependencies): readonly Route[] {
  const routes = [
    ...healthRoutes(dependencies),
    ...echoHealthRoutes(dependencies),
    ...jobRoutes(dependencies),
    ...articleRoutes(dependencies),
    ...searchRoutes(dependencies),
    ...layer1ProcessRoutes(dependencies),
    ...layer1EntityRoutes(dependencies),
    ...clusterRoutes(dependencies),
    ...storyRoutes(dependencies),
    ...correctionRoutes(dependencies),
    ...entityRoutes(dependencies),
    ...entityTimelineRoutes(dependencies),
    ...relationshipRoutes(dependencies),
    ...trendRoutes(dependencies),
    ...graphRoutes(dependencies),
    ...echoRoutes(dependencies),
    ...feedRoutes(dependencies),
    ...webhookRoutes(dependencies),
    ...qualityRoutes(dependencies),
  ]
  return [...routes.map(refusing(dependencies)), ...documentRoutes(routes, dependencies)]
}
