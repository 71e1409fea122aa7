import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import type { DeclaredRoute } from '#server/http/fastify-types.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { contractEndpoints } from '#test/support/contract.ts';
import { signedInUser } from '#test/support/users.ts';

let app: TestApp;
let routes: DeclaredRoute[];
let headers: { authorization: string };
let endpoints: Endpoint[];

beforeAll(async () => {
  app = await testApp();
  await app.http.ready();
  routes = app.http.declaredRoutes;
  endpoints = await contractEndpoints();
  ({ headers } = await signedInUser(app));
});
afterAll(() => app.close());

/**
 * Reads the router's own list of routes from its printed tree. Each line adds its part of the path to that of its
 * parent by indentation, and ends with the methods if a route ends there.
 */
function routesOfRouter(http: FastifyInstance): string[] {
  const above: string[] = [];
  const found: string[] = [];
  for (const line of http.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part, methods] = /^([│ ]*)(?:├──|└──) (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    if (indent === undefined || part === undefined) continue;
    above.length = indent.length / 4;
    above.push(part);
    for (const method of methods?.split(', ') ?? []) found.push(`${method} ${above.join('')}`);
  }
  return found;
}

/** The router shortens wildcards: 'GET /api/docs*' for 'GET /api/docs/static/*'. */
function isWildcardOf(route: string, declared: ReadonlySet<string>): boolean {
  if (!route.endsWith('*')) return false;
  return [...declared].some((known) => known.startsWith(route.slice(0, -1)) && known.endsWith('*'));
}

/** Returns a path that the schemas of a route accept: all placeholders are numbers, except dates and words. */
const EXAMPLES: Record<string, string> = { ':date': '2026-01-01', ':scope': 'All' };
const exampleOf = (url: string): string =>
  url.replaceAll(/:[A-Za-z]+/g, (name) => EXAMPLES[name] ?? '1').replace('*', 'x');

const call = (route: DeclaredRoute, withHeaders: Record<string, string> = {}) =>
  app.http.inject({ method: route.method as 'GET', url: exampleOf(route.url), headers: withHeaders });

describe('every route', () => {
  test('is found by this test', () => {
    expect(routes.map(({ url }) => url)).toEqual(
      expect.arrayContaining(['/api/renewtoken', '/token', '/api/docs/json']),
    );
    expect(routes.length).toBeGreaterThan(8);
  });

  test('has schemas that can be compiled, whether it is ever called or not', () => {
    expect(() => app.http.compileSchemas()).not.toThrow();
  });

  test('that the router knows declares a right, or that it is public', () => {
    const declared = new Set(routes.map(({ method, url }) => `${method} ${url}`));
    const known = routesOfRouter(app.http);
    expect(known.length).toBeGreaterThan(8);
    expect(known.filter((route) => !declared.has(route) && !isWildcardOf(route, declared))).toEqual([]);
  });

  test('below /api is in the contract with that very access, but for the pages that describe the API', () => {
    const known = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint.access]));
    for (const { method, url, access } of routes.filter(({ url }) => !url.startsWith('/api/docs'))) {
      expect({ route: `${method} ${url}`, access }).toEqual({
        route: `${method} ${url}`,
        access: known.get(`${method} ${url}`),
      });
    }
  });

  test('of the contract is there', () => {
    const registered = new Set(routes.map(({ method, url }) => `${method} ${url}`));
    const missing = endpoints.filter(({ method, path }) => !registered.has(`${method} ${path}`));
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test('answers JSON calls with a result, which is null if there is nothing to say', () => {
    const without = endpoints.filter(
      ({ transport, parts }) => transport === 'json' && !parts.result && !parts.accepted,
    );
    expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test('that is not public answers 401 to a call without a token, and to one with a made-up token', async () => {
    for (const route of routes.filter(isGuarded)) {
      const without = await call(route);
      const madeUp = await call(route, { authorization: 'Bearer made-up' });
      expect([route.url, without.statusCode, madeUp.statusCode]).toEqual([route.url, 401, 401]);
    }
  });

  test('that needs a right answers 403 or 404 to a person who has none', async () => {
    for (const route of routes.filter(needsMore)) {
      const { statusCode } = await call(route, headers);
      expect([route.url, [403, 404].includes(statusCode)]).toEqual([route.url, true]);
    }
  });
});

test('a route that does not declare who may call it cannot be registered', async () => {
  const other = await testApp();
  expect(() => other.http.get('/api/forgotten', async () => 'secret')).toThrow('does not declare who may call it');
  await other.close();
});

function isGuarded({ access }: DeclaredRoute): boolean {
  return access?.kind === 'signedIn' || needsMore({ access });
}

function needsMore({ access }: Pick<DeclaredRoute, 'access'>): boolean {
  return access?.kind === 'right' || access?.kind === 'userAdmin';
}
