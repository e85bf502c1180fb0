/** The part of WebAssembly that Node has and the types of Node leave out. */
declare namespace WebAssembly {
  interface Module {
    readonly kind: 'module'
  }
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>
  }
  const Module: new (bytes: Uint8Array) => Module
  const Instance: new (module: Module) => Instance
}
