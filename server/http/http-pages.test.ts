/** The pages and assets that the server serves. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerAll, serveEndpoints, type EndpointServer } from '#test/support/http-endpoints.ts';

let app: FastifyInstance;
let createServer: EndpointServer['createServer'];
let close: EndpointServer['close'];
beforeAll(async () => {
  ({ app, createServer, close } = await serveEndpoints());
});
afterAll(() => close());

test("a visitor's form is a separate page, if the renderer has one", async () => {
  const built = await mkdtemp(join(tmpdir(), 'runsheet-visitors-'));
  await writeFile(join(built, 'index.html'), '<head><base href="/" /><title>x</title></head>portal');
  const server = await createServer({ rendererFolder: built, basePath: '/sheets/' });
  const read = async (url: string) => (await server.inject({ url })).body;
  expect(await read('/public/activities/run/5')).toContain('portal');
  await writeFile(join(built, 'public.html'), '<head><base href="/" /><title>x</title></head>visitors');
  for (const url of ['/public/activities/run/5', '/public/activities/run/5/?a=1', '/public.html']) {
    const page = await read(url);
    expect(page, url).toContain('visitors');
    expect(page).toContain('<base href="/sheets/" />');
    expect(page).toContain('<title>Portal</title>');
  }
  for (const url of ['/activities/run/5', '/public/dashboards?token=1', '/public/activities/run/5/more']) {
    expect(await read(url), url).toContain('portal');
  }
  await server.close();
  await rm(built, { recursive: true });
});

test('pages rebuilt under a running server are served whole, and old assets are answered as missing', async () => {
  const built = await mkdtemp(join(tmpdir(), 'runsheet-built-'));
  const build = async (name: string): Promise<void> => {
    await rm(join(built, 'assets'), { recursive: true, force: true });
    await mkdir(join(built, 'assets'));
    await writeFile(join(built, `assets/${name}.js`), name);
    await writeFile(join(built, 'index.html'), `<head></head>${name}`);
    // Two builds within one tick of the file system's clock would have the same time.
    const time = new Date(name === 'first' ? 1_000_000 : 2_000_000);
    await utimes(join(built, 'index.html'), time, time);
  };
  await build('first');
  const server = await createServer({ rendererFolder: built });
  const read = async (url: string) => {
    const { statusCode, body, headers } = await server.inject({ url });
    return { statusCode, body, cache: headers['cache-control'] };
  };
  expect((await read('/activities')).body).toContain('first');
  expect((await read('/assets/first.js')).body).toBe('first');
  await build('second');
  expect((await read('/activities')).body).toContain('second');
  expect((await read('/index.html')).body).toContain('second');
  const asset = await read('/assets/second.js');
  expect(asset).toMatchObject({ statusCode: 200, body: 'second', cache: 'public, max-age=31536000, immutable' });
  const gone = { statusCode: 404, body: '{"message":"Not found"}', cache: 'no-cache' };
  expect(await read('/assets/first.js')).toEqual(gone);
  expect((await read('/assets/../index.html')).statusCode).toBe(200);
  expect((await read('/assets/%2e%2e/robots.txt')).statusCode).not.toBe(200);
  await rm(join(built, 'index.html'));
  expect((await read('/activities')).body).toContain('second');
  await server.close();
  await rm(built, { recursive: true });
});

test('every path of the portal answers its page; what is missing answers 404', async () => {
  for (const url of ['/', '/activities/run/5/', '/index.html']) {
    const page = await app.inject(url);
    expect([url, page.statusCode, page.body]).toEqual([url, 200, expect.stringContaining('portal')]);
    expect(page.headers['cache-control']).toBe('no-cache');
  }
  for (const url of ['/api/nothing', '/api', '/assets/gone.js', '/gone.png']) {
    const answer = await app.inject(url);
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 404, { message: 'Not found' }]);
  }
});

test('assets may be cached forever, other files not', async () => {
  const asset = await app.inject('/assets/app-1a2b.js');
  expect([asset.body, asset.headers['cache-control']]).toEqual(['run()', 'public, max-age=31536000, immutable']);
  expect((await app.inject('/robots.txt')).headers['cache-control']).toBe('no-cache');
});

test('the page alone may have a base element, and none but its own', async () => {
  const policyOf = async (url: string) => (await app.inject(url)).headers['content-security-policy'];
  for (const url of ['/api/item', '/assets/app-1a2b.js', '/api/none'])
    expect(await policyOf(url)).toContain("base-uri 'none'");
  expect(await policyOf('/activities/')).toContain("base-uri 'self'");
  const none = `<base href="/" /><meta http-equiv="Content-Security-Policy" content="base-uri 'none'" />`;
  expect((await app.inject('/activities/')).body).toContain(none);
});

test('below a base path all is the same, and the page knows it', async () => {
  const server = await createServer({ basePath: '/portal' });
  registerAll(server);
  expect((await server.inject('/portal/api/item')).statusCode).toBe(200);
  for (const url of ['/portal', '/portal/', '/portal/activities/']) {
    expect((await server.inject(url)).body).toContain('<base href="/portal/" />');
  }
  expect((await server.inject('/portal/assets/app-1a2b.js')).body).toBe('run()');
  await server.close();
});
