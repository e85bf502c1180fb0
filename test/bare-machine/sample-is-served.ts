import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'

/*
 * sample-is-served.ts HOME: waits until the `story up` of that home serves all of its sample through the API, and the dashboard
 * with what its page loads. Prints what was found, on one line. Waits without a limit: the caller sets one.
 */

const home = process.argv[2] ?? '.story'
const Running = z.object({ PORT: z.string() })
const Secrets = z.object({ demo_key: z.string() })
const Clusters = z.object({ total: z.number() })

const read = <T>(name: string, shape: z.ZodType<T>): T | null => {
  const file = join(home, name)
  return existsSync(file) ? (shape.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null) : null
}

async function storiesServed(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/clusters?time_range=30d&limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return response.ok ? Clusters.parse(await response.json()).total : 0
}

/** The page and every script and style it names. */
async function dashboardLoads(url: string): Promise<number> {
  const page = await fetch(`${url}/`)
  const html = await page.text()
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? '')
  if (!page.ok || loaded.length === 0)
    throw new Error(`the dashboard is not served: ${page.status} ${html.slice(0, 200)}`)
  for (const path of loaded) {
    const { status } = await fetch(new URL(path, `${url}/`))
    if (status !== 200) throw new Error(`the dashboard's ${path} is answered with ${status}`)
  }
  return loaded.length
}

for (;;) {
  const [running, secrets] = [read('running.json', Running), read('secrets.json', Secrets)]
  const importing = existsSync(join(home, 'sample-import-begun'))
  if (running !== null && secrets !== null && !importing) {
    const url = `http://127.0.0.1:${running.PORT}`
    const stories = await storiesServed(url, secrets.demo_key).catch(() => 0)
    if (stories > 0) {
      const files = await dashboardLoads(url)
      const java = /version "([\d.]+)/.exec(execFileSync('sh', ['-c', 'java -version 2>&1'], { encoding: 'utf8' }))?.[1]
      console.log(
        `${stories} stories and the dashboard (${files} files) served by Node ${process.versions.node} and Java ${java}`,
      )
      break
    }
  }
  await setTimeout(1_000)
}
