import { wholeApi, type AppApi } from './http/app.ts'
import type { Dependencies } from './http/dependencies.ts'
import { serve, type ListenOptions, type ServedApi } from './http/serve.ts'
import { allRoutes } from './routes.ts'

/** The API as a Hono app, without a listener. */
export const createApi = (dependencies: Dependencies): AppApi => wholeApi(dependencies, allRoutes).app

/** Starts the API's listener. Rejects with the system's error (`EADDRINUSE`) if the port is taken. */
export const serveApi = (dependencies: Dependencies, listening: ListenOptions): Promise<ServedApi> =>
  serve(dependencies, allRoutes, listening)
