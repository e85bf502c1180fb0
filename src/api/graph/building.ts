import type { BuildResult, LookedAt } from '../../views/graph/build.ts'

/** Builds of the whole graph, two at once. Who asks while one of the namespace runs, or waits, shares it. */
export interface GraphBuilds {
  build(namespace: string): Promise<BuildResult>
  /** The same without emitting anything. */
  look(namespace: string): Promise<LookedAt>
  /** In this process. */
  isBuilding(namespace: string): boolean
}
