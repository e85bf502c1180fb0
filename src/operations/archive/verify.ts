import { messageOf } from '../../domain/message-of.ts'
import { filesOf, gapsIn, partitionsOf, type ArchivedFile, type Manifest } from './manifest.ts'
import { recordsOfFile } from './record.ts'
import { sha256Hex, type ArchiveFolder } from './folder.ts'

/** Reads a whole archive and checks checksums, counts, offsets and schemas. Returns its totals and all problems. */
export function verify(folder: ArchiveFolder, manifest: Manifest, onFile: (bytes: number) => void) {
  const problems = [...gapsIn(manifest), ...schemaProblems(folder, manifest)]
  let [files, records, bytes] = [0, 0, 0]
  for (const partition of partitionsOf(manifest)) {
    for (const file of filesOf(manifest, partition)) {
      files += 1
      records += file.records
      bytes += file.bytes
      problems.push(...fileProblems(folder, file).map((problem) => `${file.path}: ${problem}`))
      onFile(file.bytes)
    }
  }
  return { files, records, bytes, problems }
}

function schemaProblems(folder: ArchiveFolder, { schemas }: Manifest): readonly string[] {
  return schemas.flatMap(({ path, sha256 }) => {
    if (!folder.has(path)) return [`${path}: missing`]
    return problemsOf(() => (sha256Hex(folder.read(path)) === sha256 ? [] : ['SHA-256 differs from the manifest'])).map(
      (problem) => `${path}: ${problem}`,
    )
  })
}

/** The problems that a check returns, or the error that it throws. */
function problemsOf(check: () => readonly string[]): readonly string[] {
  try {
    return check()
  } catch (cause) {
    return [messageOf(cause)]
  }
}

function fileProblems(folder: ArchiveFolder, file: ArchivedFile): readonly string[] {
  if (!folder.has(file.path)) return ['missing']
  return problemsOf(() => {
    const content = folder.read(file.path)
    return sha256Hex(content) === file.sha256 ? recordProblems(content, file) : ['SHA-256 differs from the manifest']
  })
}

function recordProblems(content: Buffer, { from, to, records }: ArchivedFile): readonly string[] {
  let [count, next] = [0, from]
  for (const block of recordsOfFile(content)) {
    for (const { offset } of block) {
      if (offset < next || offset >= to) return [`offset ${offset} is not between ${next} and ${to}`]
      next = offset + 1
      count += 1
    }
  }
  return count === records ? [] : [`${count} records, the manifest says ${records}`]
}
