import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { projectPath } from '../config/project-path.ts'

/** What apt-get would install on a system; the packages in `Machine.programs` are installed already. */
const debian13 = { nodejs: '20.19.2+dfsg-1', maven: '3.9.9-1', 'default-jre-headless': '2:1.21-76' }
const debian12 = { nodejs: '18.20.4+dfsg-1', maven: '3.8.7-1', 'default-jre-headless': '2:1.17-74' }
const ubuntu2204 = { nodejs: '12.22.9~dfsg-1', maven: '3.6.3-5', 'default-jre-headless': '2:1.11-72' }
const nodesource = { ...debian12, nodejs: '22.21.0-1nodesource1' }

interface Machine {
  readonly candidates: Readonly<Record<string, string>>
  readonly user?: 'root' | 'sudo' | 'none'
  readonly environment?: NodeJS.ProcessEnv
}

/** The programs of each package, as the script looks at them. */
const says = {
  node: (version: string) => `echo v${version}`,
  java: (version: string) => `echo 'openjdk version "${version}.0.1"' >&2`,
  mvn: (version: string) => `echo 'Apache Maven ${version}'`,
}
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Runs the script on a machine where only basic tools are, and apt-get, npm and sudo that write down how they are called. */
function prerequisites({ candidates, user = 'root', environment = {} }: Machine) {
  const folder = mkdtempSync(join(tmpdir(), 'prerequisites-'))
  folders.push(folder)
  const [bin, installable] = [join(folder, 'bin'), join(folder, 'installable')]
  for (const directory of [bin, installable]) mkdirSync(directory)
  const program = (directory: string, name: string, script: string) => {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(directory, name), 0o755)
  }
  for (const tool of ['sh', 'awk', 'sed', 'head', 'grep', 'uname', 'env', 'dirname', 'cp', 'tar', 'true']) {
    symlinkSync(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), join(bin, tool))
  }
  const major = (version = '') => /1\.(\d+)/.exec(version)?.[1] ?? ''
  const upstream = (version = '') => /[\d.]+/.exec(version)?.[0] ?? ''
  const provides: Record<string, string[]> = {
    nodejs: candidates['nodejs']?.includes('nodesource') ? ['node', 'npm'] : ['node'],
    npm: ['npm'],
    maven: ['mvn'],
    procps: ['ps'],
    curl: ['curl'],
    'default-jre-headless': ['java'],
    'openjdk-17-jre-headless': ['java17'],
  }
  program(installable, 'node', says.node(upstream(candidates['nodejs'])))
  program(installable, 'java', says.java(major(candidates['default-jre-headless'])))
  program(installable, 'java17', says.java('17'))
  program(installable, 'mvn', says.mvn(upstream(candidates['maven'])))
  program(installable, 'ps', '')
  program(installable, 'curl', '')
  program(installable, 'node24', says.node('24.9.0'))
  program(installable, 'npm', `echo "npm $*" >>${folder}/calls\ncp ${installable}/node24 ${bin}/node`)
  const install = Object.entries(provides).flatMap(([name, programs]) =>
    programs.map(
      (one) => `[ "$word" = ${name} ] && cp ${installable}/${one} ${bin}/${one === 'java17' ? 'java' : one}`,
    ),
  )
  program(bin, 'apt-get', `echo "apt-get $*" >>${folder}/calls\nfor word; do\n${install.join('\n')}\ndone\ntrue`)
  const known = Object.entries(candidates).map(
    ([name, version]) => `[ "$2" = ${name} ] && echo '  Candidate: ${version}'`,
  )
  program(bin, 'apt-cache', known.join('\n'))
  program(bin, 'id', `echo ${user === 'root' ? 0 : 1000}`)
  if (user === 'sudo') program(bin, 'sudo', `shift\nexec "$@"`)

  const script = projectPath('docker/embedded/prerequisites.sh')
  const env = { PATH: bin, ...environment }
  const { status, stderr } = spawnSync('/bin/sh', [script], { env, encoding: 'utf8' })
  const calls = existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : []
  return {
    status,
    stderr,
    installed: calls.map((call) => call.replace(/ -\S+/g, '')),
    again: () => spawnSync('/bin/sh', [script], { env, encoding: 'utf8' }),
  }
}

const all = 'default-jre-headless maven procps curl nodejs npm'

it.each(['root', 'sudo'] as const)(
  'Debian 13, %s: says what it installs, installs it, and a second run is silent',
  (user) => {
    const { status, stderr, installed, again } = prerequisites({ candidates: debian13, user })

    expect(stderr).toBe(`installing with apt-get: ${all} (NO_INSTALL=1 forbids it) ...\n`)
    expect(installed).toEqual([`apt-get install ${all}`])
    expect(status).toBe(0)
    expect(again()).toMatchObject({ status: 0, stderr: '' })
  },
)

it.each([
  ['without root rights', { user: 'none', environment: {} }, 'sudo '],
  ['with NO_INSTALL=1', { user: 'root', environment: { NO_INSTALL: '1' } }, ''],
] as const)('Debian 13 %s: installs nothing, prints the one line that does', (_, { user, environment }, sudo) => {
  const { status, stderr, installed } = prerequisites({ candidates: debian13, user, environment })

  expect(installed).toEqual([])
  expect(stderr).toContain('Node is not installed: 20.19 or newer is needed.\n')
  expect(stderr).toContain(
    `\nInstall them with: ${sudo}apt-get update && ${sudo}apt-get install --no-install-recommends ${all}\n`,
  )
  expect(status).toBe(1)
})

it('the README shows the line of Debian 13', () => {
  expect(readFileSync(projectPath('README.md'), 'utf8')).toContain(
    `\`sudo apt-get update && sudo apt-get install --no-install-recommends ${all}\``,
  )
})

it('where the distribution has an old Node (Debian 12, Ubuntu 24.04), Node comes from npm', () => {
  const { status, stderr, installed } = prerequisites({ candidates: debian12 })

  const machine = process.arch === 'x64' ? 'x64' : 'arm64'
  expect(installed).toEqual([`apt-get install ${all}`, `npm install /usr/local node-linux-${machine}@24 npm@11`])
  expect(stderr).toContain(
    `installing with npm into /usr/local: node-linux-${machine}@24 npm@11 (NO_INSTALL=1 forbids it)`,
  )
  expect(status).toBe(0)
})

it('where the distribution has an old Java (Ubuntu 22.04), version 17 is installed', () => {
  const { status, installed } = prerequisites({ candidates: ubuntu2204 })

  expect(installed[0]).toBe('apt-get install openjdk-17-jre-headless maven procps curl nodejs npm')
  expect(status).toBe(0)
})

it("Node from nodesource.com, which brings npm, is installed without the distribution's npm", () => {
  const { status, installed } = prerequisites({ candidates: nodesource })

  expect(installed).toEqual(['apt-get install default-jre-headless maven procps curl nodejs'])
  expect(status).toBe(0)
})

it('a Node below the supported version of its line is replaced', () => {
  const { stderr } = prerequisites({ candidates: { ...debian12, nodejs: '22.4.0-1' }, user: 'none' })

  expect(stderr).toContain('npm install --global --prefix /usr/local node-linux-')
})

it('without package lists, they are fetched before versions are chosen', () => {
  const { installed } = prerequisites({ candidates: {} })

  expect(installed[0]).toBe('apt-get update')
})
