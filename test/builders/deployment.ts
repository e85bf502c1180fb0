import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { projectPath } from '../../src/config/project-path.ts'

/** What every object of Kubernetes has; the rest is checked by its schema. */
const KubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
})
export type KubernetesObject = z.infer<typeof KubernetesObject>

const Kustomization = z.looseObject({
  labels: z.array(z.object({ pairs: z.record(z.string(), z.string()) })).default([]),
  resources: z.array(z.string()),
  patches: z
    .array(
      z.object({
        path: z.string(),
        target: z.object({ kind: z.string(), labelSelector: z.string().optional() }),
      }),
    )
    .default([]),
})

const read = (path: string): string => readFileSync(projectPath(path), 'utf8')

export const documents = (path: string): readonly unknown[] =>
  parseAllDocuments(read(path), { uniqueKeys: true }).map((document): unknown => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors.join('; ')}`)
    const read: unknown = document.toJS()
    return read
  })

/** The base as `kustomize build` gives it, but for names of images: resources, each with the patches that are for it. */
export function kubernetesBase(): readonly KubernetesObject[] {
  const path = 'docker/kubernetes/base/kustomization.yaml'
  const { resources, patches, labels } = Kustomization.parse(parse(read(path)))
  const beside = (name: string): string => join(dirname(path), name)
  const common = Object.assign({}, ...labels.map(({ pairs }) => pairs)) as Record<string, string>
  return resources
    .flatMap((name) => documents(beside(name)))
    .map((document) => {
      const object = KubernetesObject.parse(document)
      const forIt = patches
        .filter(({ target }) => isFor(object, target))
        .flatMap(({ path: file }) => documents(beside(file)))
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
  return { ...object, spec: { ...spec, template: { ...spec.template, metadata: inPods } } }
}

const Template = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({ metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }) }),
  }),
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const Named = z.array(z.looseObject({ name: z.string() }))

/** A strategic merge as far as the patches here need it: objects are merged, lists of named things by name. */
function patched(onto: unknown, patch: unknown): unknown {
  if (isObject(onto) && isObject(patch)) {
    const merged = { ...onto }
    for (const [key, value] of Object.entries(patch)) merged[key] = key in onto ? patched(onto[key], value) : value
    return merged
  }
  const [mine, theirs] = [Named.safeParse(onto), Named.safeParse(patch)]
  if (!mine.success || !theirs.success) return patch
  const names = new Set([...mine.data, ...theirs.data].map(({ name }) => name))
  return [...names].map((name) => {
    const [own, more] = [mine, theirs].map(({ data }) => data.find((one) => one.name === name))
    return own === undefined ? more : more === undefined ? own : patched(own, more)
  })
}
