/** The part of WebAssembly that Node has and the types of Node leave out. */
declare namespace WebAssembly {
  interface Instance {
    readonly exports: object
  }
  const Module: new (bytes: Uint8Array) => Module
  const Instance: new (module: Module) => Instance
}
