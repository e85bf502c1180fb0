import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { afterEach, describe, expect, it } from 'vitest'
import { aCertificate } from '../../test/builders/certificate.ts'
import { ForbiddenAddress } from '../ports/http.ts'
import { outbound, type OutboundOptions } from './outbound.ts'
import { noAnswerReason } from '../domain/no-answer.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const NOW = Date.UTC(2026, 10, 22, 12)
const clock = { now: () => NOW }

/** A name server of the test: every name has these addresses, and who was asked for what is kept. */
function names(table: Readonly<Record<string, readonly string[] | string>>) {
  const calls: string[] = []
  const resolve = async (name: string): Promise<readonly string[]> => {
    calls.push(name)
    const found = table[name] ?? table['*'] ?? 'ENOTFOUND'
    if (typeof found === 'string') throw Object.assign(new Error(found), { code: found })
    return Promise.resolve(found)
  }
  return { calls, resolve }
}

async function listening(server: ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function aReceiver(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return listening(server)
}

/** Counts who comes, and lets nobody in. */
async function aTrap() {
  let connections = 0
  const server = createTcpServer((socket) => {
    connections += 1
    socket.destroy()
  })
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return { port: await listening(server), connections: () => connections }
}

const public_ = names({ '*': ['93.184.216.34', '2606:2800:220:1::1'] })
const guarded = (more: Partial<OutboundOptions> = {}) =>
  outbound({ clock, allowLoopback: false, resolve: public_.resolve, timeoutMs: 5_000, ...more })
const loopback = (more: Partial<OutboundOptions> = {}) => guarded({ allowLoopback: true, ...more })
const request = { headers: { 'content-type': 'application/json' }, body: '{}' }

const failed = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it was answered',
    (cause: unknown) => cause,
  )

/** Every one of them an address that somebody has tried somewhere. */
const HOSTILE = [
  // this machine, in every spelling of IPv4
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://0177.0x0.1/',
  'https://127.0.0.1./',
  'https://127.255.255.254/',
  'https://0/',
  'https://0.0.0.0/',
  'https://127.0.0.1:8443/',
  'https://127。0。0。1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://１２７.０.０.１/',
  'https://%31%32%37.0.0.1/',
  // private, shared, link-local, reserved
  'https://10.0.0.1/',
  'https://10.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://192.168.257/',
  'https://3232235777/',
  'https://0xc0.0xa8.1.1/',
  'https://100.64.0.1/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.7/',
  'https://203.0.113.7/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  // metadata of the clouds
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://0251.0376.0251.0376/',
  'https://169.254.170.2/v2/credentials',
  'https://100.100.100.200/',
  'https://192.0.0.192/',
  'https://168.63.129.16/',
  'https://[fd00:ec2::254]/',
  'https://metadata.google.internal/',
  'https://metadata/',
  // IPv6
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:a9fe:a9fe::]/',
  'https://[2001:0:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[5f00::1]/',
  'https://[fc00::1]/',
  'https://[fd12:3456:789a::1]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  // names that are nobody's on the internet
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://ｌｏｃａｌｈｏｓｔ/',
  'https://api.localhost/',
  'https://kubernetes/',
  'https://kubernetes.default.svc.cluster.local/',
  'https://printer.local/',
  'https://printer.local./',
  'https://vault.internal/',
  'https://router.home.arpa/',
  'https://hooks.example.com../',
  // credentials, and what only looks like a host
  'https://user:password@hooks.example.com/',
  'https://hooks.example.com@127.0.0.1/',
  'https://user@hooks.example.com/',
  'https://127.0.0.1#@hooks.example.com/',
  'https://127.0.0.1?@hooks.example.com/',
  'https:\\\\127.0.0.1\\',
  'https:127.0.0.1/',
  'https:///127.0.0.1/',
  ' https://127.0.0.1/',
  'https://127.0.0.1\\@hooks.example.com/',
  'ht\ntps://127.0.0.1/',
  // other schemes, and no URL at all
  'http://hooks.example.com/',
  'http://93.184.216.34/',
  'HTTP://hooks.example.com/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'gopher://hooks.example.com:70/_x',
  'data:text/plain,x',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  'wss://hooks.example.com/',
  '//hooks.example.com/',
  'hooks.example.com',
  'https://',
  'https://[::1',
  'https://hooks.example.com:99999/',
  '',
]

describe('an address that nobody may make us ask', () => {
  it.each(HOSTILE)('is refused when it is registered and when it is asked: %j', async (url) => {
    const http = guarded()

    expect(await failed(http.check(url))).toBeInstanceOf(ForbiddenAddress)
    expect(await failed(http.post(url, request))).toBeInstanceOf(ForbiddenAddress)
  })

  it('is one of more than sixty that are tried here', () => {
    expect(new Set(HOSTILE).size).toBeGreaterThan(60)
  })

  it.each([
    ['127.0.0.1'],
    ['10.0.0.8'],
    ['169.254.169.254'],
    ['::1'],
    ['fd00:ec2::254'],
    ['::ffff:192.168.0.1'],
    ['64:ff9b::a00:1'],
    ['fe80::1%eth0'],
    ['93.184.216.34', '10.0.0.8'], // one closed address among open ones closes the name
    ['93.184.216.34', '::1'],
  ])('is a name that resolves to %s', async (...addresses) => {
    const http = guarded({ resolve: names({ '*': addresses }).resolve })

    expect(await failed(http.check('https://hooks.example.com/'))).toBeInstanceOf(ForbiddenAddress)
    expect(await failed(http.post('https://hooks.example.com/', request))).toBeInstanceOf(ForbiddenAddress)
  })

  it('is never connected to, when its name answers with it only the second time', async () => {
    const trap = await aTrap()
    const calls: string[] = []
    const resolve = async (name: string) => {
      calls.push(name)
      return Promise.resolve(calls.length === 1 ? ['198.41.0.4'] : ['127.0.0.1'])
    }
    const http = guarded({ resolve, timeoutMs: 400 })

    const first = await failed(http.post(`https://rebinding.example.com:${trap.port}/`, request))
    const second = await failed(http.post(`https://rebinding.example.com:${trap.port}/`, request))

    expect(first).not.toBeInstanceOf(ForbiddenAddress)
    expect(second).toBeInstanceOf(ForbiddenAddress)
    expect([calls.length, trap.connections()]).toEqual([2, 0])
  })

  it('is not gone to when an open one sends there', async () => {
    const trap = await aTrap()
    const port = await aReceiver((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${trap.port}/` }).end(),
    )

    const { status } = await loopback().post(`http://127.0.0.1:${port}/`, request)

    expect([status, trap.connections()]).toEqual([307, 0])
  })

  it.each(['http://10.0.0.1/', 'https://192.168.0.1/', 'https://169.254.169.254/', 'http://93.184.216.34/'])(
    'stays one where loopback is allowed: %s',
    async (url) => {
      expect(await failed(loopback().check(url))).toBeInstanceOf(ForbiddenAddress)
    },
  )
})

describe('plain http, where loopback is allowed', () => {
  const unresolved = () => Promise.reject(Object.assign(new Error('no name server'), { code: 'ECONNREFUSED' }))

  it.each(['http://example.com/hooks', 'http://hooks.example.com/'])(
    'is refused at registration for a name whose addresses are not known: %s',
    async (url) => {
      expect(await failed(loopback({ resolve: unresolved }).check(url))).toBeInstanceOf(ForbiddenAddress)
      expect(await failed(loopback({ resolve: unresolved }).check(url.replace('http:', 'https:')))).toBe(
        'it was answered',
      )
    },
  )

  it.each([
    ['http://127.0.0.1:3000/hooks', []],
    ['http://127.8.9.1/hooks', []],
    ['http://[::1]:3000/hooks', []],
    ['http://localhost:3000/hooks', []],
    ['http://here.example.com/', ['127.0.0.1']],
  ])('is accepted for a loopback address: %s', async (url, addresses) => {
    const resolve = () => Promise.resolve(addresses)

    expect(await failed(loopback({ resolve }).check(url))).toBe('it was answered')
  })

  it.each([['93.184.216.34'], ['127.0.0.1', '93.184.216.34']])(
    'is refused for any other address at registration, and again at delivery: %s',
    async (...addresses) => {
      const resolve = () => Promise.resolve(addresses)
      const development = loopback({ resolve })

      expect(await failed(development.check('http://example.com/'))).toBeInstanceOf(ForbiddenAddress)
      expect(await failed(development.post('http://example.com/', request))).toBeInstanceOf(ForbiddenAddress)
    },
  )
})

describe('an open address', () => {
  it.each([
    'https://hooks.example.com/in?a=1',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com./',
    'https://münchen.example/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
  ])('passes: %s', async (url) => {
    await expect(guarded().check(url)).resolves.toBeUndefined()
  })

  it('may have no address yet when it is registered', async () => {
    const http = guarded({ resolve: names({}).resolve })

    await expect(http.check('https://soon.example.com/')).resolves.toBeUndefined()
    expect(noAnswerReason(await failed(http.post('https://soon.example.com/', request)))).toBe('dns')
  })

  it('is connected to where its name was looked up, and asked by its name', async () => {
    const hosts: (string | undefined)[] = []
    const port = await aReceiver((got, response) => {
      hosts.push(got.headers.host)
      response.end()
    })
    const here = names({ 'hooks.example.com': ['127.0.0.1'] })

    const { status } = await loopback({ resolve: here.resolve }).post(`http://HOOKS.example.com.:${port}/x`, request)

    expect([status, hosts, here.calls]).toEqual([200, [`hooks.example.com:${port}`], ['hooks.example.com']])
  })

  it('gets the body byte for byte with our headers, and its answer is not read', async () => {
    const got: { headers: IncomingHttpHeaders; body: string; method: string | undefined }[] = []
    const port = await aReceiver((message, response) => {
      let body = ''
      message.on('data', (part: Buffer) => (body += part.toString()))
      message.on('end', () => {
        got.push({ headers: message.headers, body, method: message.method })
        response.writeHead(202)
        response.write('and so on') // never ends
      })
    })

    const answer = await loopback().post(`http://localhost:${port}/`, {
      headers: { 'webhook-id': 'evt_1' },
      body: '{"a":"ü"}',
    })

    expect(answer).toEqual({ status: 202, retryAfterSeconds: null })
    expect(got).toMatchObject([
      { method: 'POST', body: '{"a":"ü"}', headers: { 'webhook-id': 'evt_1', 'content-length': '10' } },
    ])
  })

  it.each([
    ['120', 120],
    [new Date(NOW + 90_000).toUTCString(), 90],
    [new Date(NOW - 90_000).toUTCString(), 0],
    ['soon', null],
  ])('may say when it wants to be asked again: %s', async (header, seconds) => {
    const port = await aReceiver((_, response) => response.writeHead(503, { 'retry-after': header }).end())

    const answer = await loopback().post(`http://127.0.0.1:${port}/`, request)

    expect(answer).toEqual({ status: 503, retryAfterSeconds: seconds })
  })
})

describe('no answer', () => {
  it('is a time-out where nothing comes, also from a name server', async () => {
    const port = await aReceiver(() => undefined)
    const silent = () => new Promise<never>(() => undefined)

    const [receiver, nameServer] = await Promise.all([
      failed(loopback({ timeoutMs: 50 }).post(`http://127.0.0.1:${port}/`, request)),
      failed(guarded({ timeoutMs: 50, resolve: silent }).post('https://hooks.example.com/', request)),
    ])

    expect([noAnswerReason(receiver), noAnswerReason(nameServer)]).toEqual(['timeout', 'timeout'])
  })

  it('is refused where nobody listens, reset where the connection breaks, and no headers without end are read', async () => {
    const trap = await aTrap()
    const free = await aReceiver(() => undefined)
    await Promise.all(closers.splice(-1).map((close) => close()))
    const endless = await aReceiver((_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end())
    const ask = async (port: number) =>
      noAnswerReason(await failed(loopback().post(`http://127.0.0.1:${port}/`, request)))

    expect([await ask(free), await ask(trap.port), await ask(endless)]).toEqual(['refused', 'reset', 'reset'])
  })

  it('is an end, not a wait, where another protocol is answered', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined).resume()
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')
    })
    closers.push(() => new Promise((resolve) => server.close(resolve)))
    const switching = await listening(server)

    expect(noAnswerReason(await failed(loopback().post(`http://127.0.0.1:${switching}/`, request)))).toBe('reset')
  })

  it('is what a certificate of nobody known, or of another name, gets from us', async () => {
    const ours = aCertificate('hooks.example.com')
    const server = createTlsServer(ours, (_, response) => response.end())
    closers.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const port = await listening(server)
    const resolve = names({ '*': ['127.0.0.1'] }).resolve
    const trusting = loopback({ resolve, ca: ours.cert })

    const answer = await trusting.post(`https://hooks.example.com:${port}/`, request)
    const other = await failed(trusting.post(`https://other.example.com:${port}/`, request))
    const stranger = await failed(loopback({ resolve }).post(`https://hooks.example.com:${port}/`, request))

    expect([answer.status, noAnswerReason(other), noAnswerReason(stranger)]).toEqual([200, 'tls', 'tls'])
  })

  it('is broken off with the signal', async () => {
    const port = await aReceiver(() => undefined)
    const stop = new AbortController()

    const calls = failed(loopback().post(`http://127.0.0.1:${port}/`, request, stop.signal))
    stop.abort()

    expect(await calls).toMatchObject({ name: 'AbortError' })
  })
})
