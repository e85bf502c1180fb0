import type { GraphBuilt } from '../../events/graph.ts'
import type { LookedAt } from '../../views/graph/build.ts'

/** Builds of the whole graph. Who asks while one of the namespace runs shares it. */
export interface GraphBuilds {
  build(namespace: string): Promise<GraphBuilt>
  /** The same without telling anything. */
  look(namespace: string): Promise<LookedAt>
  /** In this process. */
  isBuilding(namespace: string): boolean
}
