import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Access } from '#shared/contract/endpoint.ts';
import { UNATTENDED_HEADER } from '#shared/contract/headers.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import './fastify-types.ts';

/** The origin of a call. */
export interface CallOrigin {
  address: string;
  /** True if a screen made the call automatically, which does not count as use of the session. */
  unattended?: boolean;
}

/** What the HTTP layer must know about people; provided by sessions and rights. */
export interface Guard {
  /** Returns the person of a bearer token. Throws an AppError 401 if the token is not or no longer valid. */
  authenticate(token: string, request: CallOrigin): Promise<Person>;
  /**
   * Returns true if the person may make this kind of call at all: for `on: 'all'` the person has the right for All, for
   * `on: 'object'` for at least one object. The service checks the object of the call, because it knows the object.
   * @param call method and declared path, 'GET /api/activities/details/:id'
   */
  mayCall(person: Person, access: Access, call: string): Promise<boolean>;
}

/** Specification of security, section 8: the text of every 401 and 403. */
export const NO_PERMISSION = 'You do not have permissions for this operation';

const ACCESS_OF_PLUGIN = 'accessOfPlugin';

/**
 * Requires every route to declare who may call it, otherwise it is not created, and checks this before any handler
 * runs.
 */
export function checkAccess(app: FastifyInstance, guard: Guard): void {
  app.decorateRequest('person', null);
  app.decorate('declaredRoutes', []);
  app.addHook('onRoute', function declareAccess(this: FastifyInstance, route) {
    const known = this.hasDecorator(ACCESS_OF_PLUGIN);
    const access = requireAccess(
      route,
      known ? this.getDecorator<{ access: Access }>(ACCESS_OF_PLUGIN).access : undefined,
    );
    for (const method of [route.method].flat()) app.declaredRoutes.push({ method, url: route.url, access });
  });
  app.addHook('onRequest', async (request) => {
    const { access, sessionOnly = false } = request.routeOptions.config;
    // Only the "not found" response has no route and thus no declaration.
    if (!access || access.kind === 'public' || access.kind === 'token') return;
    const person = await guard.authenticate(bearerToken(request), originOf(request));
    // Set before the check, so that the log says whose call was refused.
    request.person = person;
    const isByKey = person.SessionId === '';
    const call = `${request.method} ${request.routeOptions.url}`;
    if ((sessionOnly && isByKey) || !(await guard.mayCall(person, access, call))) {
      const logged = { call, needed: access, sessionOnly, isByKey };
      throw new AppError('forbidden', 403, NO_PERMISSION, { logged });
    }
  });
}

function requireAccess(route: RouteOptions, ofPlugin: Access | undefined): Access {
  const access = route.config?.access ?? ofPlugin;
  if (!access) throw new Error(`route ${String(route.method)} ${route.url} does not declare who may call it`);
  route.config = { ...route.config, access };
  return access;
}

/**
 * Declares the access for all routes that a library registers within `scope`, because these cannot contain our
 * declaration.
 */
export function declareAccessOfPlugin(scope: FastifyInstance, access: Access): void {
  scope.decorate(ACCESS_OF_PLUGIN, { access });
}

const originOf = ({ ip, headers }: FastifyRequest): CallOrigin => ({
  address: ip,
  unattended: headers[UNATTENDED_HEADER] !== undefined,
});

/** Returns the name with which the calling program identifies itself; '' if it does not. */
export const clientOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string => headers['user-agent'] ?? '';

/** Returns the token of a call; throws an AppError 401 if there is none. */
export function bearerToken(request: FastifyRequest): string {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === '')
    throw new AppError('notSignedIn', 401, NO_PERMISSION, { logged: { reason: 'the call has no bearer token' } });
  return token;
}
