import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1'
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Service, ServiceAccount } from 'kubernetes-models/v1'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { MAIN_STORE } from '../../src/domain/stores.ts'
import { readers } from '../../src/operations/lag/lag.ts'
import { CONNECTORS } from '../../src/wiring/start-connector.ts'
import { GRACE_MS, ROLES, SHORT_ROLES } from '../../src/wiring/roles.ts'
import { Environment } from '../../src/config/config.ts'
import { projectPath } from '../../src/config/project-path.ts'
import { Stores } from '../../src/config/stores.ts'
import { readTopicFiles } from '../../src/config/topics.ts'
import { documents, KubernetesObject, kubernetesBase } from '../builders/deployment.ts'

const KINDS = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Service,
  ServiceAccount,
  StatefulSet,
}

const objects = kubernetesBase()
const named = objects.map((object) => [`${object.kind} ${object.metadata.name}`, object] as const)
const of = (kind: keyof typeof KINDS): readonly KubernetesObject[] => objects.filter((object) => object.kind === kind)

const Component = z.object({ 'app.kubernetes.io/component': z.string() })
const Workload = z.object({
  spec: z.object({
    template: z.object({
      metadata: z.object({ labels: Component }),
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.object({
          runAsNonRoot: z.literal(true),
          seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
        }),
        containers: z.tuple([
          z.object({
            name: z.literal('story'),
            args: z.array(z.string()).default([]),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
            livenessProbe: z.object({ httpGet: z.object({ path: z.literal('/livez') }) }).optional(),
            readinessProbe: z.object({ httpGet: z.object({ path: z.literal('/readyz') }) }).optional(),
            startupProbe: z.object({ httpGet: z.object({ path: z.string() }) }).optional(),
            resources: z.object({
              requests: z.object({ cpu: z.string(), memory: z.string() }),
              limits: z.object({ memory: z.string() }),
            }),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
            securityContext: z.object({
              allowPrivilegeEscalation: z.literal(false),
              readOnlyRootFilesystem: z.literal(true),
              capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
            }),
            env: z.array(
              z.union([
                z.strictObject({ name: z.literal('NODE_OPTIONS'), value: z.string() }), // Node's, of the memory limit
                z.strictObject({ name: z.string(), valueFrom: z.unknown() }),
              ]),
            ),
          }),
        ]),
      }),
    }),
  }),
})
const workload = (object: KubernetesObject) => {
  const { metadata, spec } = Workload.parse(object).spec.template
  return {
    component: metadata.labels['app.kubernetes.io/component'],
    container: spec.containers[0],
    graceMs: spec.terminationGracePeriodSeconds * 1_000,
  }
}
const processes = [...of('Deployment'), ...of('StatefulSet')].map((object) => ({
  name: object.metadata.name,
  kind: object.kind,
  ...workload(object),
}))
/** The kinds of processes that disruption budgets are for. */
const covered = (budgets: readonly KubernetesObject[]): string[] =>
  budgets
    .map((object) => z.object({ spec: z.object({ selector: z.object({ matchLabels: Component }) }) }).parse(object))
    .map(({ spec }) => spec.selector.matchLabels['app.kubernetes.io/component'])

const settings = z.object({ data: z.record(z.string(), z.string()) }).parse(of('ConfigMap')[0]).data
const topics = readTopicFiles(projectPath('topics'))
/** The stages with a changelog. */
const stateful = [...topics.keys()].flatMap((name) => /^(.+)\.memory$/.exec(name)?.[1] ?? [])

function validate(object: KubernetesObject): void {
  const kind = KINDS[object.kind as keyof typeof KINDS]
  expect(kind, object.kind).toBeDefined()
  new (kind as new (data: never) => { validate(): void })(object as never).validate()
}

const Scaled = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    scaleTargetRef: z.object({ name: z.string(), kind: z.string().default('Deployment') }),
    minReplicaCount: z.number(),
    maxReplicaCount: z.number(),
    triggers: z.array(
      z.object({
        metadata: z.object({ consumerGroup: z.string(), topic: z.string(), bootstrapServers: z.string() }),
      }),
    ),
  }),
})

describe('docker/kubernetes/base', () => {
  it.each(named)('%s is valid for the Kubernetes API', (_, object) => {
    expect(() => validate(object)).not.toThrow()
  })

  it('runs every role of the pipeline in exactly one kind of process', () => {
    const roles = processes.flatMap(({ container }) => container.args.slice(1))

    expect(processes.map(({ container }) => container.args[0])).toEqual(processes.map(() => 'start'))
    expect(roles.sort()).toEqual(ROLES.filter((role) => !CONNECTORS.includes(role)).sort())
  })

  it.each(processes.map((one) => [one.name, one] as const))(
    '%s has a metrics port and liveness, readiness and startup probes',
    (name, { component, container }) => {
      expect(component).toBe(name)
      expect(container.ports.map(({ name: port }) => port)).toContain('metrics')
      expect([container.livenessProbe, container.readinessProbe, container.startupProbe]).not.toContain(undefined)
    },
  )

  it('has a disruption budget for every kind of process', () => {
    expect(covered(of('PodDisruptionBudget')).sort()).toEqual(processes.map(({ name }) => name).sort())
  })

  it('gives the stages with state, and only those, a disk of their own at STATE_FOLDER', () => {
    const Disk = z.object({
      spec: z.object({
        volumeClaimTemplates: z.tuple([z.object({ metadata: z.object({ name: z.literal('state') }) })]),
      }),
    })
    const at = ({ container }: (typeof processes)[number]) =>
      container.volumeMounts.find(({ name }) => name === 'state')?.mountPath
    const withDisk = processes.filter(({ kind }) => kind === 'StatefulSet')

    for (const object of of('StatefulSet')) expect(Disk.safeParse(object).error, object.metadata.name).toBeUndefined()
    expect(withDisk.map(({ name }) => name).sort()).toEqual(stateful.sort())
    expect(new Set(withDisk.map(at))).toEqual(new Set([settings['STATE_FOLDER']]))
  })

  it('lets a process end by itself before it is killed', () => {
    expect(Number(settings['DRAIN_SECONDS']) * 1_000).toBeLessThan(GRACE_MS)
    for (const { name, graceMs } of processes) expect(graceMs, name).toBeGreaterThanOrEqual(GRACE_MS + 10_000)
  })

  it('lets a restore take as long as it needs: a process counts as started before it, as ready after it', () => {
    const probes = processes.filter(({ name }) => name !== 'api').map(({ container }) => container)

    expect(new Set(probes.map(({ startupProbe }) => startupProbe?.httpGet.path))).toEqual(new Set(['/health']))
    expect(new Set(probes.map(({ readinessProbe }) => readinessProbe?.httpGet.path))).toEqual(new Set(['/readyz']))
  })

  it('has one Job, `prepare`, with the restrictions of the other containers', () => {
    expect(of('Job').map((object) => workload(object).component)).toEqual(['prepare'])
  })

  it('sets only known variables, and secrets by reference only', () => {
    const known = Object.keys(Environment.shape)
    const configured = of('ConfigMap').flatMap((object) =>
      Object.keys(z.record(z.string(), z.string()).parse(object['data'])),
    )
    const fromElsewhere = processes.flatMap(({ container }) => container.env.map(({ name }) => name))

    expect([...configured, ...fromElsewhere].filter((name) => ![...known, 'NODE_OPTIONS'].includes(name))).toEqual([])
    expect(configured.filter((name) => /PASSWORD|SECRET|TOKEN/.test(name))).toEqual([])
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([])
  })

  it('refers only to files that exist', () => {
    for (const overlay of ['base', 'processes', 'overlays/small', 'overlays/production']) {
      const path = `docker/kubernetes/${overlay}/kustomization.yaml`
      const [kustomization] = documents(path)
      const { resources, components, patches } = z
        .object({
          resources: z.array(z.string()).default([]),
          components: z.array(z.string()).default([]),
          patches: z.array(z.looseObject({ path: z.string().optional() })).default([]),
        })
        .parse(kustomization)
      const mentioned = [...resources, ...components, ...patches.flatMap(({ path: file }) => file ?? [])]
      expect(mentioned.filter((file) => !existsSync(projectPath(join(dirname(path), file))))).toEqual([])
    }
  })
})

describe('docker/kubernetes/base/scaling.yaml', () => {
  const scaled = of('ScaledObject').map((object) => Scaled.parse(object))
  const groups = readers([{ name: MAIN_STORE }])

  it('scales every kind of process that consumes partitions', () => {
    const consumers = processes.map(({ name }) => name).filter((name) => !['api', 'scheduler', 'feeds'].includes(name))
    expect(scaled.map(({ spec }) => spec.scaleTargetRef.name).sort()).toEqual(consumers.sort())
  })

  it.each(scaled.map((object) => [object.metadata.name, object.spec] as const))(
    '%s scales on the consumer groups and topics of its roles, up to the number of partitions',
    (name, { scaleTargetRef, triggers, minReplicaCount, maxReplicaCount }) => {
      const scaledProcess = processes.find((one) => one.name === name)
      const roles = scaledProcess?.container.args.slice(1) ?? []
      expect(scaleTargetRef).toEqual({ name, kind: scaledProcess?.kind })
      expect(new Set(triggers.map(({ metadata }) => metadata.consumerGroup))).toEqual(new Set(roles))
      for (const { metadata } of triggers) {
        const { consumerGroup, topic } = metadata
        expect(groups.find(({ group }) => group === consumerGroup)?.topics, consumerGroup).toContain(topic)
        expect(topics.get(topic)?.['partitions-production'], topic).toBe(maxReplicaCount)
      }
      expect(minReplicaCount).toBeGreaterThanOrEqual(2)
    },
  )
})

describe('docker/kubernetes/overlays/production', () => {
  const FOLDER = 'docker/kubernetes/overlays/production'
  const Patches = z.object({ patches: z.array(z.object({ patch: z.string() })) })
  const Changes = z.array(z.object({ path: z.string(), value: z.unknown() }))
  const changes = Patches.parse(documents(`${FOLDER}/kustomization.yaml`)[0]).patches.flatMap(({ patch }) =>
    Changes.parse(parse(patch)),
  )
  const setTo = (key: string): readonly unknown[] =>
    changes.filter(({ path }) => path.endsWith(`/${key}`)).map(({ value }) => value)
  const stores = Stores.parse(setTo('CLICKHOUSE_STORES')[0])
  const added = documents(`${FOLDER}/second-store.yaml`).map((object) => KubernetesObject.parse(object))

  it('has objects of its own that are valid for the Kubernetes API', () => {
    for (const object of added) expect(() => validate(object), object.kind).not.toThrow()
  })

  it('has a disruption budget for every kind of process of its own', () => {
    const budgets = added.filter(({ kind }) => kind === 'PodDisruptionBudget')
    const own = added.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)

    expect(own).not.toEqual([])
    expect(covered(budgets).sort()).toEqual(own.sort())
  })

  it('runs every view of every store in exactly one kind of process', () => {
    const Started = z.object({
      spec: z.object({
        template: z.object({ spec: z.object({ containers: z.tuple([z.object({ args: z.unknown() })]) }) }),
      }),
    })
    const ofStores = added
      .filter(({ kind }) => kind === 'Deployment')
      .map((object) => Started.parse(object).spec.template.spec.containers[0].args)
    const started = [...setTo('args'), ...ofStores].flatMap((args) => z.array(z.string()).parse(args).slice(1))
    const views = SHORT_ROLES['views'] ?? []
    const roles = started.flatMap((role) => {
      const [name, store] = role.split('@')
      return name === 'views' ? views.map((view) => `${view}@${store}`) : [role]
    })

    expect(roles.sort()).toEqual(stores.flatMap(({ name }) => views.map((view) => `${view}@${name}`)).sort())
  })

  it('scales on consumer groups of its stores', () => {
    const groups = readers(stores)
    for (const object of added.filter(({ kind }) => kind === 'ScaledObject'))
      for (const { metadata } of Scaled.parse(object).spec.triggers)
        expect(groups.find(({ group }) => group === metadata.consumerGroup)?.topics).toContain(metadata.topic)
  })
})
