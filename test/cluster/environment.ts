import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { projectPath } from '../../src/config/project-path.ts'

const ConfigMap = z.object({ data: z.record(z.string(), z.string()) })

const Job = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({ containers: z.tuple([z.object({ command: z.tuple([z.string(), z.string(), z.string()]) })]) }),
    }),
  }),
})

const base = (file: string): string => readFileSync(join(projectPath('docker/kubernetes/base'), file), 'utf8')

/** What a pod has as addresses and folders; here they are others. */
const OF_A_POD = /^(.*_HOST|HOST|PORT|.*_PORT|.*_URL|KAFKA_BROKERS|CLICKHOUSE_.*|STORY_HOME|STATE_FOLDER|MAIL_FROM)$/

/** The settings of `docker/kubernetes/base/configuration.yaml` that are no address or folder of a pod. */
export function clusterSettings(): Readonly<Record<string, string>> {
  const { data } = ConfigMap.parse(parse(base('configuration.yaml')))
  return Object.fromEntries(Object.entries(data).filter(([name, value]) => value !== '' && !OF_A_POD.test(name)))
}

/** The commands of `docker/kubernetes/base/prepare.yaml`, each as its arguments after `story`. */
export function prepareCommands(): readonly (readonly string[])[] {
  const [, , script] = Job.parse(parse(base('prepare.yaml'))).spec.template.spec.containers[0].command
  return script.split(' && ').map((command) => command.split(' ').slice(1))
}
