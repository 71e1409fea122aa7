/**
 * The settings in build/deploy/proxies with the real programs: events arrive immediately, large files pass, and nobody
 * can spoof an address.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { makeCertificate, makeServerCertificate, type KeyAndCertificate } from '#test/support/peers/certificates.ts';
import { until } from '#test/support/until.ts';
import { signedInUser } from '#test/support/users.ts';

const MB = 1024 * 1024;
const DEPLOY = new URL('../../build/deploy/proxies/', import.meta.url);
/** An address that only this process uses, so its ports are free although the same file may run elsewhere. */
const HOST = `127.${64 + (process.pid >> 16)}.${(process.pid >> 8) & 255}.${process.pid & 255}`;

let app: TestApp;
let folder: string;
let portal: string;
let authority: KeyAndCertificate;
let headers: { authorization: string };
/** Number of event streams that have been closed. */
let left = 0;
const seen: { url: string; ip: string; protocol: string; host: string }[] = [];

beforeAll(async () => {
  app = await testApp({ settings: { trustedProxies: ['127.0.0.0/8'], publicUrl: 'https://localhost' } });
  app.http.addHook(
    'onResponse',
    async ({ url, ip, protocol, hostname: host }) => void seen.push({ url, ip, protocol, host }),
  );
  app.http.addHook('onRequest', async ({ url }, reply) => {
    if (url === '/api/events') reply.raw.once('close', () => (left += 1));
  });
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  portal = `127.0.0.1:${(app.http.addresses() as AddressInfo[])[0]!.port}`;
  ({ headers } = await signedInUser(app, ['sk.RunActivity']));
  folder = await mkdtemp(join(tmpdir(), 'runsheet-proxies-'));
  // If root starts them, they continue as their own users.
  await chmod(folder, 0o777);
  authority = await makeCertificate('Proxies of tests', { isAuthority: true });
  const { key, certificate } = await makeServerCertificate(authority);
  await writeFile(join(folder, 'portal.pem'), certificate);
  await writeFile(join(folder, 'portal.key'), key);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** Returns the file from build/deploy with the names, ports and paths of this test. */
async function settingsOf(file: string, port: number): Promise<string> {
  const shipped = await readFile(new URL(file, DEPLOY), 'utf8');
  expect(shipped).toContain('127.0.0.1:8080');
  return shipped
    .replaceAll('127.0.0.1:8080', portal)
    .replaceAll('/etc/ssl/portal.example.com', join(folder, 'portal'))
    .replaceAll('/var/log/nginx', folder)
    .replaceAll('listen 443', `listen ${HOST}:${port}`)
    .replaceAll('listen 80', `listen ${HOST}:${port + 1}`)
    .replaceAll('*:443', `${HOST}:${port}`)
    .replaceAll('*:80', `${HOST}:${port + 1}`);
}

const isRoot = process.getuid?.() === 0;

const PROXIES = {
  nginx: async (port: number) => {
    const file = join(folder, 'nginx-portal.conf');
    await writeFile(file, (await settingsOf('nginx.conf', port)).replaceAll('portal.example.com', 'localhost'));
    const main = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = temporary.map((name) => `${name}_temp_path ${join(folder, `nginx-${name}`)};`).join(' ');
    await writeFile(
      main,
      `${isRoot ? 'user root;' : ''} daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log stderr;
       events {} http { access_log off; ${paths} include ${file}; }`,
    );
    return ['nginx', '-p', folder, '-e', 'stderr', '-c', main];
  },
  caddy: async (port: number) => {
    const file = join(folder, 'Caddyfile');
    const own = (await settingsOf('Caddyfile', port)).replace(
      'portal.example.com {',
      `https://localhost:${port} {\n\tbind ${HOST}\n\ttls ${join(folder, 'portal.pem')} ${join(folder, 'portal.key')}`,
    );
    await writeFile(file, `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n${own}`);
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
  },
  apache2: async (port: number) => {
    const file = join(folder, 'apache.conf');
    const modules = ['mpm_event', 'authz_core', 'alias', 'headers', 'proxy', 'proxy_http', 'ssl', 'socache_shmcb'];
    const loads = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
    const own = (await settingsOf('apache.conf', port))
      .replaceAll('portal.example.com', 'localhost')
      .replaceAll('${APACHE_LOG_DIR}', folder);
    const user = isRoot ? 'User www-data\nGroup www-data' : '';
    await writeFile(
      file,
      `ServerRoot ${folder}\nServerName localhost\nPidFile ${join(folder, 'apache.pid')}\nErrorLog ${join(folder, 'apache-errors.log')}\nDefaultRuntimeDir ${folder}
Listen ${HOST}:${port}\nListen ${HOST}:${port + 1}\n${loads.join('\n')}\n${user}\n${own}`,
    );
    return ['apache2', '-f', file, '-D', 'FOREGROUND'];
  },
};

interface Call extends Omit<RequestOptions, 'headers'> {
  headers?: Record<string, string>;
  body?: Buffer;
}

type Ask = (path: string, call?: Call) => Promise<IncomingMessage>;

const asking =
  (port: number): Ask =>
  (path, { body, ...call } = {}) =>
    new Promise((resolve, reject) => {
      const sent = { ...call.headers, ...headers, host: 'localhost' };
      const asked = request(
        { host: HOST, port, path, servername: 'localhost', ca: authority.certificate, ...call, headers: sent },
        resolve,
      );
      asked.on('error', reject);
      asked.end(body);
    });

async function started(name: keyof typeof PROXIES, port: number): Promise<{ ask: Ask; stop: () => Promise<void> }> {
  const [command = '', ...args] = await PROXIES[name](port);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: folder } });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const ask = asking(port);
  await until(`${name} answers`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${said.join('')}`);
    return ask('/api/health').then(
      (answer) => answer.resume().statusCode === 200,
      () => false,
    );
  }).catch((cause: unknown) => {
    throw new Error(said.join(''), { cause });
  });
  return {
    ask,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Returns a form with a file of this size. */
function formOf(bytes: number): { headers: Record<string, string>; body: Buffer } {
  const boundary = 'a-boundary-of-the-test';
  const fields = Object.entries({ Id: '0', Schema: 'General', Name: 'Large', SingleRun: 'false' }).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${fields.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="book.xlsx"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 7), Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(body.length) },
    body,
  };
}

test.for([
  ['nginx', 18_443],
  ['caddy', 18_453],
  ['apache2', 18_463],
] as const)('%s passes on events, files and the address of the client', async ([name, port], context) => {
  context.skip(!isThere(name), `${name} is not installed`);
  const { ask, stop } = await started(name, port);
  try {
    // An event arrives while the stream is open: nothing waits for its end, or for a buffer that never fills.
    const stream = await ask('/api/events');
    expect([stream.statusCode, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    let received = '';
    stream.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await until('the event has come', () => received.includes('event: notifications'));
    expect(stream.complete).toBe(false);
    const before = left;
    stream.destroy();
    await until('the server hears that nobody reads any more', () => left > before);

    // Addresses that a client claims are neither used nor passed on.
    seen.length = 0;
    const claims = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
    };
    await text(await ask('/api/maintenance', { headers: claims }));
    const at = await until('the server has had it', () => seen.find(({ url }) => url === '/api/maintenance'));
    expect(at).toMatchObject({ protocol: 'https', host: 'localhost' });
    expect(at.ip).toMatch(/^127\./);

    // The largest upload reaches the server, which receives it completely before it answers who may publish.
    const taken = await ask('/api/activities/create', { method: 'POST', ...formOf(100 * MB) });
    expect([taken.statusCode, await text(taken)]).toEqual([403, expect.stringContaining('may not create activities')]);
    const path = encodeURIComponent('A/B role');
    const refused = await ask(`/api/roles/${path}/enable`, { method: 'POST' });
    await text(refused);
    expect(refused.statusCode).toBe(403);
    await until('the server has had it as it was sent', () =>
      seen.some(({ url }) => url === '/api/roles/A%2FB%20role/enable'),
    );
  } finally {
    await stop();
  }
});
