import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { projectPath } from '../../src/config/project-path.ts'

/** What every object of Kubernetes has; the rest is checked by its schema. */
export const KubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
})
export type KubernetesObject = z.infer<typeof KubernetesObject>

const Kustomization = z.looseObject({
  resources: z.array(z.string()),
  components: z.array(z.string()),
})

/** What the base includes: labels and patches for its processes. */
const Component = z.looseObject({
  labels: z.array(z.object({ pairs: z.record(z.string(), z.string()) })),
  patches: z.array(
    z.object({
      path: z.string(),
      target: z.object({ kind: z.string(), labelSelector: z.string().optional() }),
    }),
  ),
})

const read = (path: string): string => readFileSync(projectPath(path), 'utf8')

export const documents = (path: string): readonly unknown[] =>
  parseAllDocuments(read(path), { uniqueKeys: true }).map((document): unknown => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join('; ')}`)
    const read: unknown = document.toJS()
    return read
  })

const BASE = 'docker/kubernetes/base'

/** The base as `kustomize build` gives it, but for names of images: resources, each with the patches that are for it. */
export function kubernetesBase(): readonly KubernetesObject[] {
  const { resources, components } = Kustomization.parse(parse(read(join(BASE, 'kustomization.yaml'))))
  const folders = components.map((name) => join(BASE, name))
  const included = folders.map((folder) => Component.parse(parse(read(join(folder, 'kustomization.yaml')))))
  const patches = included.flatMap((component, i) =>
    component.patches.map(({ path, target }) => ({ target, path: join(folders[i] ?? '', path) })),
  )
  const pairs = included.flatMap(({ labels }) => labels.map((label) => label.pairs))
  const common = Object.assign({}, ...pairs) as Record<string, string>
  return resources
    .flatMap((name) => documents(join(BASE, name)))
    .map((document) => {
      const object = KubernetesObject.parse(document)
      const forIt = patches.filter(({ target }) => isFor(object, target)).flatMap(({ path }) => documents(path))
      return labelled(KubernetesObject.parse(forIt.reduce<unknown>(patched, object)), object, common)
    })
}

const isFor = (
  { kind, metadata }: KubernetesObject,
  target: { readonly kind: string; readonly labelSelector?: string | undefined },
): boolean => {
  const [key = '', value] = target.labelSelector?.split('=') ?? []
  return kind === target.kind && (target.labelSelector === undefined || metadata.labels?.[key] === value)
}

/** The patch brings everything but who it is. */
function labelled(
  made: KubernetesObject,
  { apiVersion, kind, metadata }: KubernetesObject,
  labels: object,
): KubernetesObject {
  const object = { ...made, apiVersion, kind, metadata: { ...metadata, labels: { ...labels, ...metadata.labels } } }
  const template = Template.safeParse(object)
  if (!template.success) return object
  const { spec } = template.data
  const inPods = { ...spec.template.metadata, labels: { ...labels, ...spec.template.metadata.labels } }
  const claims = spec.volumeClaimTemplates?.map((claim) => ({ ...claim, metadata: { ...claim.metadata, labels } }))
  return {
    ...object,
    spec: {
      ...spec,
      template: { ...spec.template, metadata: inPods },
      ...(claims === undefined ? {} : { volumeClaimTemplates: claims }),
    },
  }
}

const Template = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({ metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }) }),
    volumeClaimTemplates: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })).optional(),
  }),
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Items of a list are merged by what identifies them. */
const Identified = z.array(
  z.union([
    z.looseObject({ name: z.string() }).transform((item) => ({ id: item.name, item })),
    z
      .looseObject({ topologyKey: z.string(), whenUnsatisfiable: z.string() })
      .transform((item) => ({ id: `${item.topologyKey} ${item.whenUnsatisfiable}`, item })),
  ]),
)

/** A strategic merge as far as the patches here need it. */
function patched(onto: unknown, patch: unknown): unknown {
  if (isObject(onto) && isObject(patch)) {
    const merged = { ...onto }
    for (const [key, value] of Object.entries(patch)) merged[key] = key in onto ? patched(onto[key], value) : value
    return merged
  }
  const [mine, theirs] = [Identified.safeParse(onto), Identified.safeParse(patch)]
  if (!mine.success || !theirs.success) return patch
  const ids = new Set([...mine.data, ...theirs.data].map(({ id }) => id))
  return [...ids].map((id) => {
    const [own, more] = [mine, theirs].map(({ data }) => data.find((one) => one.id === id)?.item)
    return own === undefined ? more : more === undefined ? own : patched(own, more)
  })
}
