import type { Dependencies } from '../http/dependencies.ts'
import { problem } from '../http/problem.ts'
import type { Route } from '../http/route.ts'

/** About as long as a build takes. */
const RETRY_AFTER_SECONDS = 2

/**
 * For clients that rely on it: reads of Layer 3 are refused while this process builds the graph of the namespace. Without
 * the setting a build is nothing that a reader notices.
 */
export const refusing =
  ({ graph, graphReads }: Pick<Dependencies, 'graph' | 'graphReads'>) =>
  (route: Route): Route =>
    graphReads === 'answer' || route.method !== 'get' || !route.path.startsWith('/layer3/')
      ? route
      : {
          ...unkept(route),
          handle: async (raw, caller) =>
            caller !== null && graph.isBuilding(caller.namespace)
              ? problem(
                  'graph_build_in_progress',
                  'The graph is being rebuilt; try again when the build has finished',
                  {
                    retryAfterSeconds: RETRY_AFTER_SECONDS,
                  },
                )
              : route.handle(raw, caller),
        }

/** What was answered before a build began must not be answered while it runs. */
const unkept = (route: Route): Route => ({ ...route, freshMs: undefined })
