/** An archive ends early or cannot be decompressed. Everything before was read. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}
