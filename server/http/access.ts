import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Access } from '#shared/contract/endpoint.ts';
import { UNATTENDED_HEADER } from '#shared/contract/headers.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import './fastify-types.ts';

/** Where a call comes from. */
export interface CallOrigin {
  address: string;
  /** Made by a screen by itself: the session is not in use because of it. */
  unattended?: boolean;
}

/** What the HTTP layer must know about people; sessions and rights give it. */
export interface Guard {
  /** The person a bearer token stands for. Throws an AppError 401 where it stands for nobody (any more). */
  authenticate(token: string, request: CallOrigin): Promise<Person>;
  /**
   * Whether the person may make such a call at all: for `on: 'all'` holds the right for All, for `on: 'object'` holds it for
   * something. Whether for the object of this call, the service decides, who knows it.
   * @param call method and declared path, 'GET /api/activities/details/:id'
   */
  mayCall(person: Person, access: Access, call: string): Promise<boolean>;
}

/** Specification of security, section 8: the text of every 401 and 403. */
export const NO_PERMISSION = 'You do not have permissions for this operation';

const ACCESS_OF_PLUGIN = 'accessOfPlugin';

/** Every route says who may call it, or is not made; and no handler runs before that has been checked. */
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
    // Only the answer "not found" has no route, and so no declaration.
    if (!access || access.kind === 'public' || access.kind === 'token') return;
    const person = await guard.authenticate(bearerToken(request), originOf(request));
    const isByKey = person.SessionId === '';
    const call = `${request.method} ${request.routeOptions.url}`;
    if ((sessionOnly && isByKey) || !(await guard.mayCall(person, access, call)))
      throw new AppError('forbidden', 403, NO_PERMISSION);
    request.person = person;
  });
}

function requireAccess(route: RouteOptions, ofPlugin: Access | undefined): Access {
  const access = route.config?.access ?? ofPlugin;
  if (!access) throw new Error(`route ${String(route.method)} ${route.url} does not declare who may call it`);
  route.config = { ...route.config, access };
  return access;
}

/** Declares the access of all routes that a library registers within `scope`: they cannot carry our declaration themselves. */
export function declareAccessOfPlugin(scope: FastifyInstance, access: Access): void {
  scope.decorate(ACCESS_OF_PLUGIN, { access });
}

const originOf = ({ ip, headers }: FastifyRequest): CallOrigin => ({
  address: ip,
  unattended: headers[UNATTENDED_HEADER] !== undefined,
});

/** The program that makes a call, as it names itself; '' where it does not. */
export const clientOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string => headers['user-agent'] ?? '';

/** The token of a call; throws an AppError 401 where there is none. */
export function bearerToken(request: FastifyRequest): string {
  const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'bearer' || token === '') throw new AppError('notSignedIn', 401, NO_PERMISSION);
  return token;
}
