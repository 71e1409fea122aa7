import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { CONTRACT_VERSION } from '#shared/contract/headers.ts';
import { rounds } from '#test/support/test-set.ts';
import { frameOriginsOf, Greeting, greetServer, networkProblem, ServerProblem } from './handshake.ts';
import type { Net } from './ports.ts';

const SETTINGS = {
  title: 'Acme',
  logo1: '',
  logo2: '',
  versionOnLogo: 0,
  version: '1.0.0',
  betaUrl: '',
  passwordMinLength: 8,
  passwordMaxLength: 50,
  passwordComposition: false,
};
const ADDRESS = 'https://portal.example.org/';

const answering = (body: unknown, headers: Record<string, string>, status = 200): Net => ({
  fetch: async () => new Response(JSON.stringify(body), { status, headers }),
});
const greet = (net: Net) => greetServer(net, ADDRESS);

test('a portal of this contract returns its name, and whose pages it shows in frames', async () => {
  const policy =
    "default-src 'self'; frame-src https://a.example.org http://b:81 'self' https: javascript:; img-src https://c";
  const headers = { 'x-contract-version': String(CONTRACT_VERSION), 'content-security-policy': policy };
  expect(await greet(answering({ result: SETTINGS }, headers))).toEqual({
    settings: SETTINGS,
    frameOrigins: ['https://a.example.org', 'http://b:81'],
  });
  expect(frameOriginsOf("frame-src 'none'")).toEqual([]);
});

test('another contract says which side must be updated', async () => {
  const of = (version: number): Net => answering({}, { 'x-contract-version': String(version) });
  await expect(greet(of(CONTRACT_VERSION + 1))).rejects.toThrow('the portal is newer than this program');
  await expect(greet(of(CONTRACT_VERSION - 1))).rejects.toThrow('the portal is older than this program');
});

test.each([
  ['a page', answering('<html>', {})],
  ['settings without the header', answering({ result: SETTINGS }, {})],
  [
    'settings that lack something',
    answering({ result: { title: 'x' } }, { 'x-contract-version': String(CONTRACT_VERSION) }),
  ],
  ['a failure', answering({ result: SETTINGS }, { 'x-contract-version': String(CONTRACT_VERSION) }, 502)],
  ['a version that is none', answering({ result: SETTINGS }, { 'x-contract-version': 'x' })],
])('%s is no portal', async (_what, net) => {
  await expect(greet(net)).rejects.toThrow('is not a Runsheet portal');
});

test('whatever answers is a portal as it must be, or a problem in words, and frames come from origins of the web', async () => {
  // Weighted so that one response in twenty is a portal.
  const settings = fc.oneof(
    fc.constant(SETTINGS),
    fc.jsonValue(),
    fc
      .record({ name: fc.constantFrom(...Object.keys(SETTINGS)), value: fc.jsonValue() })
      .map(({ name, value }) => ({ ...SETTINGS, [name]: value })),
  );
  const body = fc.oneof(
    { weight: 3, arbitrary: settings.map((result) => JSON.stringify({ result })) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
  const version = fc.oneof(
    { weight: 3, arbitrary: fc.constant(String(CONTRACT_VERSION)) },
    { weight: 1, arbitrary: fc.double().map(String) },
    { weight: 1, arbitrary: fc.base64String() },
  );
  const source = fc.constantFrom(
    'https://a.example.org',
    'file:',
    'data:',
    'javascript:alert(1)',
    '*',
    "'self'",
    'https://a/b;c',
    'http://[::1]:80',
  );
  const policy = fc.array(source).map((sources) => `script-src *; frame-src ${sources.join(' ')}`);
  const status = fc.constantFrom(200, 201, 302, 404, 500);
  let portals = 0;
  await fc.assert(
    fc.asyncProperty(body, version, policy, status, async (text, contract, csp, code) => {
      const headers = { 'x-contract-version': contract, 'content-security-policy': csp };
      const found: unknown = await greet({ fetch: async () => new Response(text, { status: code, headers }) }).catch(
        (error: unknown) => error,
      );
      if (found instanceof ServerProblem) {
        expect(found.message).not.toBe('');
        return;
      }
      portals += 1;
      expect(Value.Check(Greeting, found)).toBe(true);
      expect((found as Greeting).frameOrigins.filter((one) => !/^https?:\/\/[^/\s;]+$/.test(one))).toEqual([]);
    }),
    { numRuns: rounds(500, 2000) },
  );
  expect(portals).toBeGreaterThan(0);
});

test.each([
  ['net::ERR_CERT_AUTHORITY_INVALID', 'does not trust the authority'],
  ['net::ERR_CERT_DATE_INVALID', 'has expired'],
  ['net::ERR_CERT_COMMON_NAME_INVALID', 'for another name'],
  ['net::ERR_NAME_NOT_RESOLVED', 'No server of this name'],
  ['net::ERR_CONNECTION_REFUSED', 'there is no portal'],
  ['net::ERR_PROXY_CONNECTION_FAILED', 'proxy'],
  ['net::ERR_INTERNET_DISCONNECTED', 'not connected'],
  ['net::ERR_CONNECTION_TIMED_OUT', 'did not answer in time'],
  ['Redirect was cancelled', 'leads to another one'],
  ['something new', 'could not be reached'],
])('%s is explained', (text, words) => {
  const message = networkProblem(new Error('fetch failed', { cause: new Error(text) }), ADDRESS);
  expect(message).toContain(words);
  expect(message).toContain(ADDRESS);
});
