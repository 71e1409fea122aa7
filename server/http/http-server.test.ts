import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closed, get, publicAccess } from '#shared/contract/endpoint.ts';
import { NUL_REFUSED } from '#shared/rules/storable-text.ts';
import { registerEndpoint, registerPublicEndpoint } from './register-endpoint.ts';
import { item, registerAll, serveEndpoints, who, type EndpointServer } from '#test/support/http-endpoints.ts';

let app: FastifyInstance;
let logged: EndpointServer['logged'];
let createServer: EndpointServer['createServer'];
let close: EndpointServer['close'];
beforeAll(async () => {
  ({ app, logged, createServer, close } = await serveEndpoints());
});
afterAll(() => close());

const postEcho = (payload: object, url = '/api/echo/7') => app.inject({ method: 'POST', url, payload });
const GOOD = { Count: 1, Inputs: [] };

test('numbers in the address become numbers, and a slash at its end does not matter', async () => {
  expect((await postEcho(GOOD, '/api/echo/7/?deep=true')).json()).toEqual({ result: { id: 7, deep: true, Count: 1 } });
});

test.each([
  [{ Count: '1', Inputs: [] }, 'Count must be integer', { Count: ['must be integer'] }],
  [{ Inputs: [] }, 'Count is missing', { Count: ['is missing'] }],
  [{ ...GOOD, Extra: 1 }, 'Extra is not a known field', { Extra: ['is not a known field'] }],
  [{ ...GOOD, Kind: 'c' }, 'Kind must be one of a, b', { Kind: ['must be one of a, b'] }],
  [
    { Count: 1, Inputs: [{ Value: 5 }] },
    'Inputs/0/Value must be string or null',
    { 'Inputs/0/Value': ['must be string or null'] },
  ],
  [
    { Count: 1.5, Inputs: [{ Value: '123456' }] },
    'Count must be integer',
    { Count: ['must be integer'], 'Inputs/0/Value': ['must not be longer than 5 characters'] },
  ],
  [{ ...GOOD, Count: 2_147_483_648 }, 'Count must be <= 2147483647', { Count: ['must be <= 2147483647'] }],
  [{ ...GOOD, Time: '2026-12-31T23:59:60Z' }, 'Time must be a date-time', { Time: ['must be a date-time'] }],
])('a body %j is refused: %s', async (body, message, modelState) => {
  const answer = await postEcho(body);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toEqual({ message, modelState });
});

test.each([
  ['/api/echo/7', { ...GOOD, Note: 'a\u0000b' }],
  ['/api/echo/7', { ...GOOD, Inputs: [{ Value: '\u0000' }] }],
  ['/api/echo/7?deep=%00', GOOD],
  ['/api/echo/%00', GOOD],
])('U+0000, which no database of ours stores, is refused in %s %j', async (url, body) => {
  const answer = await postEcho(body, url);
  expect([answer.statusCode, answer.json().message]).toEqual([400, NUL_REFUSED]);
  expect((await postEcho({ ...GOOD, Note: '\\u0000' })).statusCode).toBe(200);
});

test('an address that does not fit is refused in words', async () => {
  expect((await postEcho(GOOD, '/api/echo/x')).json()).toMatchObject({ message: 'id must be integer' });
  expect((await postEcho(GOOD, '/api/echo/7?other=1')).json()).toMatchObject({ message: 'other is not a known field' });
  expect((await postEcho(GOOD, '/api/echo/0')).statusCode).toBe(400);
});

test('a call without a body takes none, null or {}, and nothing else', async () => {
  const url = '/api/nobody';
  const json = { 'content-type': 'application/json' };
  for (const payload of [undefined, '', 'null', '{}']) {
    const answer = await app.inject({ method: 'POST', url, headers: payload === undefined ? {} : json, payload });
    expect([payload, answer.json()]).toEqual([payload, { result: null }]);
  }
  expect((await app.inject({ method: 'POST', url, payload: { a: 1 } })).statusCode).toBe(400);
  expect((await app.inject({ method: 'POST', url, headers: json, payload: '{' })).json()).toEqual({
    message: 'The request cannot be read',
  });
});

test('nothing leaves the server that is not in the contract', async () => {
  expect((await app.inject('/api/item')).json()).toEqual({ result: { Id: 1, Name: 'x', Note: null } });
});

test('answers carry the clock, the version, an id, and are not cached', async () => {
  const { headers } = await app.inject('/api/item');
  expect(headers).toMatchObject({ 'x-application-version': '1.2.3', 'x-content-type-options': 'nosniff' });
  expect(headers['x-contract-version']).toMatch(/^[1-9]\d*$/);
  expect(Date.parse(String(headers['x-server-time']))).toBeGreaterThan(Date.now() - 60_000);
  expect(headers['cache-control']).toContain('no-cache');
  expect(headers['content-security-policy']).toContain("script-src 'self';");
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test('every answer keeps pages of others out, and the protocol, sniffing and referrers in bounds', async () => {
  const open = await app.inject('/api/item');
  expect(open.headers['strict-transport-security']).toBeUndefined();
  const secure = await createServer({ secure: true });
  registerAll(secure);
  for (const url of ['/', '/api/item', '/api/none', '/api/docs/json', '/assets/app-1a2b.js', '/missing.js']) {
    const { headers } = await secure.inject(url);
    expect([url, headers]).toEqual([
      url,
      expect.objectContaining({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringMatching(
          /object-src 'none'.*frame-ancestors 'none'|frame-ancestors 'none'.*object-src 'none'/,
        ),
      }),
    ]);
  }
  await secure.close();
});

test("the pane of Excel alone loads Microsoft's script and may be shown in its pages; only windows of its sign-in keep their opener", async () => {
  const secure = await createServer({ secure: true, basePath: '/portal' });
  const pane = await secure.inject('/portal/excel/?_host_Info=Excel');
  expect(pane.body).toContain('<base href="/portal/excel/" />');
  const policy = String(pane.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self' https://appsforoffice.microsoft.com ");
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*(?!\.)|http:/);
  expect(policy).toMatch(/frame-ancestors https:\/\/\*\.officeapps\.live\.com /);
  expect(pane.headers['x-frame-options']).toBeUndefined();
  const opener = async (url: string) => (await secure.inject(url)).headers['cross-origin-opener-policy'];
  expect(await opener('/portal/excel/')).toBeUndefined();
  expect(await opener('/portal/?c=excel&challenge=x&state=y&dialog=1')).toBeUndefined();
  for (const url of [
    '/portal/',
    '/portal/?c=excel&challenge=x&state=y',
    '/portal/?dialog=1',
    '/portal/users/?c=excel&dialog=1',
    '/portal/login?sso=1',
  ])
    expect([url, await opener(url)]).toEqual([url, 'same-origin']);
  const page = await secure.inject('/portal/?c=excel&challenge=x&state=y&dialog=1');
  expect(page.headers['x-frame-options']).toBe('DENY');
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(page.headers['content-security-policy']).not.toContain('microsoft');
  const asset = await secure.inject('/portal/excel/assets/pane-1a2b.js');
  expect([asset.body, asset.headers['cache-control']]).toEqual(['pane()', 'public, max-age=31536000, immutable']);
  expect((await secure.inject('/portal/excel/icon-32.png')).headers['cross-origin-resource-policy']).toBe(
    'cross-origin',
  );
  for (const url of ['/portal/excel/secret.txt', '/portal/excel/index.html', '/portal/excel/assets/other.js'])
    expect([url, (await secure.inject(url)).statusCode]).toEqual([url, 404]);
  await secure.close();
});

test('the log has who was refused: the user lacks a right, and no token or key of a path', async () => {
  const lines: string[] = [];
  const other = await createServer({
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  });
  registerAll(other);
  registerPublicEndpoint(
    other,
    get('/api/kept/:token/:key/:id', {
      access: publicAccess,
      summary: 'x',
      parts: { params: closed({ token: Type.String(), key: Type.String(), id: Type.String() }), result: Type.Null() },
    }),
    () => null,
  );
  await other.inject('/api/kept/secret-token/secret-key/x%20y?token=secret');
  await other.inject({ url: '/api/manage', headers: { authorization: 'Bearer good' } });
  await other.inject('/api/who');
  await other.close();
  expect(lines.join('')).not.toMatch(/secret/);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ path: '/api/kept/…/…/x%20y', level: 20 }),
      expect.objectContaining({ path: '/api/manage', status: 403, level: 40, user: 'anna' }),
      expect.objectContaining({
        msg: 'access refused',
        level: 20,
        status: 403,
        call: 'GET /api/manage',
        needed: { kind: 'right', right: 'sk.ManageUsers', on: 'all' },
        stack: expect.stringContaining('access.ts'),
      }),
      expect.objectContaining({ msg: 'access refused', status: 401, reason: 'the call has no bearer token' }),
    ]),
  );
});

test('a call that needs a person asks for a token, and one that needs a right for that right', async () => {
  const good = { authorization: 'Bearer good' };
  expect((await app.inject('/api/who')).statusCode).toBe(401);
  expect((await app.inject({ url: '/api/who', headers: { authorization: 'Bearer bad' } })).statusCode).toBe(401);
  expect((await app.inject({ url: '/api/who', headers: good })).json()).toEqual({ result: 'anna' });
  const refused = await app.inject({ url: '/api/manage', headers: good });
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    { message: 'You do not have permissions for this operation' },
  ]);
});

test('who calls is checked before what was sent', async () => {
  expect((await app.inject('/api/who?unknown=1')).statusCode).toBe(401);
});

test('a public endpoint cannot be registered as one that has a person, nor the other way round', () => {
  expect(() => registerEndpoint(app, item, () => ({}) as never)).toThrow('is open');
  expect(() => registerPublicEndpoint(app, who, () => 'x')).toThrow('needs a person');
});

test('a request must arrive in a quarter of an hour, or the time that the largest upload takes; it may not trickle forever', async () => {
  const GB = 1024 ** 3;
  const large = await createServer({ maxUploadBytes: GB });
  expect([app.server.requestTimeout, large.server.requestTimeout]).toEqual([15 * 60_000, GB / 128]);
  // The headers alone have Node.js's limit of one minute.
  expect(app.server.headersTimeout).toBe(60_000);
  await large.close();
});

test('a method that no route has, TRACE among them, is answered 404', async () => {
  for (const method of ['TRACE', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'] as const) {
    const answer = await app.inject({ method: method as 'PUT', url: '/api/item' });
    expect([method, answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([
      method,
      404,
      undefined,
    ]);
  }
});

test('refusals take the form that the transport has', async () => {
  const form = {
    method: 'POST',
    payload: 'a=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  } as const;
  const json = await app.inject({ method: 'POST', url: '/api/failing/json/meant' });
  expect([json.statusCode, json.json()]).toEqual([422, { message: 'It is broken', modelState: { Name: ['wrong'] } }]);
  expect((await app.inject({ ...form, url: '/api/failing/form/meant' })).json()).toEqual({
    error: 'broken',
    error_description: 'It is broken',
  });
  expect((await app.inject({ ...form, payload: 'b=1', url: '/api/failing/form/meant' })).json()).toMatchObject({
    error: 'invalid_request',
  });
  const multipart = await app.inject({ method: 'POST', url: '/api/failing/multipart/meant' });
  expect(multipart.json()).toEqual({ Message: 'It is broken', Faults: [] });
});

test('an unexpected error is logged whole and once, and answered with its id alone', async () => {
  logged.length = 0;
  const answer = await app.inject({ method: 'POST', url: '/api/failing/json/bug' });
  const id = String(answer.headers['x-request-id']);
  expect([answer.statusCode, answer.json()]).toEqual([500, { message: `Unexpected error (id ${id})` }]);
  const lines = logged.filter((line) => line.includes('secret detail'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(id);
  expect(lines[0]).toContain('deep cause');
});

test('while the database is away, calls are asked to try again', async () => {
  const answer = await app.inject({ method: 'POST', url: '/api/failing/json/outage' });
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
});

test('a route may set its own limits of size and frequency', async () => {
  const call = (payload = {}) => app.inject({ method: 'POST', url: '/api/slow', payload });
  expect((await call({ long: 'x'.repeat(20) })).statusCode).toBe(413);
  expect((await call()).statusCode).toBe(200);
  const refused = await call();
  expect([refused.statusCode, refused.json()]).toEqual([
    429,
    { message: 'Too many requests. Please wait a moment and try again.' },
  ]);
});

test('the description of the API comes from the same schemas', async () => {
  const description = (await app.inject('/api/docs/json')).json<{ paths: Record<string, Record<string, object>> }>();
  expect(description.paths['/api/echo/{id}']?.['post']).toMatchObject({
    summary: 'Says what it was told',
    security: [],
    requestBody: { content: { 'application/json': { schema: { required: ['Count', 'Inputs'] } } } },
  });
  expect(description.paths['/api/who']?.['get']).toMatchObject({ security: [{ bearer: [] }] });
  expect(Object.keys(description.paths)).not.toContain('/index.html');
  expect((await app.inject('/api/docs/')).body).toContain('swagger-ui');
});
