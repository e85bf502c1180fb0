import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread from a source file, named as `new URL('./x.ts', import.meta.url)`. A build runs directly; sources run
 * through tsx, which each thread has to load itself.
 */
export function startThread(source: URL, options: WorkerOptions): Worker {
  if (import.meta.url.endsWith('.js')) return new Worker(new URL(source.href.replace(/\.ts$/, '.js')), options)
  const program = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(source.href)})))`
  return new Worker(program, { ...options, eval: true })
}
