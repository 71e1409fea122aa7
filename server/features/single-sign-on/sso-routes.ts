import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ssoConfig, type SsoConfig } from '#shared/contract/auth.ts';
import * as setup from '#shared/contract/setup.ts';
import * as contract from '#shared/contract/sso.ts';
import { SIGNED_IN_AGAIN_PATH } from '#shared/rules/own-path.ts';
import { AppError } from '#server/base/app-error.ts';
import { answerSignedIn } from '#server/access/sign-in/signed-in.ts';
import { clientOf } from '#server/http/access.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import { bindBrowser, bindingOf } from './browser-binding.ts';
import { isFreshState } from './fresh-sign-in.ts';
import { isTestState } from './sign-in-test.ts';
import type { Saml2Provider } from './saml2-client.ts';
import { noProvider, SSO_TEXTS } from './sso-failures.ts';
import type { SsoProviders } from './sso-providers.ts';
import type { SsoService } from './sso-service.ts';
import type { SsoSessions } from './sso-sessions.ts';

export interface SsoRoutesDeps {
  sso: SsoService;
  ssoSessions: SsoSessions;
  providers: SsoProviders;
  saml2: readonly Saml2Provider[];
  allowLocalUsers: boolean;
  allowPasswordReset: boolean;
  allowDirectoryUsers: boolean;
  /** Name of the provider to which visitors are redirected immediately; null to let them choose. */
  redirectTo: string | null;
  /** Settings of the sign-in page. */
  settings: SsoConfig['Settings'];
  /** Public URL of the portal, ending with a slash; null to use the address of the request. */
  address: string | null;
  basePath: string;
  inactivityMinutes: number;
  /** Maximum number of sign-ins that an IP address may begin per minute. */
  signInsPerMinute: number;
}

/** Responses with many groups are large. */
const ANSWER_BYTES = 512 * 1024;

export function registerSsoRoutes(app: FastifyInstance, deps: SsoRoutesDeps): void {
  registerBegin(app, deps);
  registerAnswers(app, deps);
  registerSessionParts(app, deps);
  registerTests(app, deps);
  registerSaml2Extras(app, deps);
}

function registerBegin(app: FastifyInstance, deps: SsoRoutesDeps): void {
  const { sso } = deps;
  const strictly = { callsPerMinute: deps.signInsPerMinute };
  interface Begin {
    Path?: string | undefined;
    Fresh?: boolean | undefined;
  }
  const begin = async (name: string, { Path, Fresh }: Begin, request: FastifyRequest, reply: FastifyReply) => {
    const from = { base: portalAddress(request, deps), binding: bindBrowser(request, reply) };
    return { Path: await sso.begin(name, { ...from, path: Path ?? '/', fresh: Fresh ?? false }) };
  };

  registerPublicEndpoint(
    app,
    contract.ssoUrl,
    ({ params, body, request, reply }) => begin(`${params.kind}:${params.key}`, body, request, reply),
    strictly,
  );
  registerPublicEndpoint(
    app,
    contract.ssoLogin,
    ({ params, body, request, reply }) => begin(params.provider, body ?? {}, request, reply),
    strictly,
  );
  registerPublicEndpoint(app, ssoConfig, async ({ query, request, reply }) => {
    const config = configOf(deps);
    if (deps.redirectTo === null || query.redirect === 'false') return config;
    return { ...config, ...(await begin(deps.redirectTo, { Path: query.path }, request, reply)) };
  });
}

function configOf({
  providers,
  allowLocalUsers,
  allowDirectoryUsers,
  allowPasswordReset,
  settings,
}: SsoRoutesDeps): SsoConfig {
  const buttons = (kind: string) =>
    providers.all
      .filter((provider) => provider.kind === kind)
      .map(({ key, label }) => ({ Key: key, LoginButtonLabel: label }));
  return {
    AllowADUsers: allowDirectoryUsers,
    AllowLocalUsers: allowLocalUsers,
    AllowPasswordReset: allowPasswordReset,
    Saml2: buttons('saml2'),
    Oidc: buttons('oidc'),
    Settings: settings,
  };
}

/** Registers the calls to which providers send people back. They always redirect to a page of the portal. */
function registerAnswers(app: FastifyInstance, deps: SsoRoutesDeps): void {
  const { sso, providers } = deps;
  const options = { callsPerMinute: deps.signInsPerMinute, bodyLimit: ANSWER_BYTES };

  async function land(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: string,
    key: string,
    state: string,
    form: string,
  ) {
    const base = portalAddress(request, deps);
    try {
      const answer = { base, state, query: queryOf(request), form, address: request.ip };
      const { ott, path } = await sso.finish(providers.named(`${kind}:${key}`), answer);
      return reply.redirect(withQuery(base, path, { sso: '1', ott }), 303);
    } catch (error) {
      if (!(error instanceof AppError)) request.log.error({ err: error }, 'a sign-in failed unexpectedly');
      const ssoError = error instanceof AppError ? error.message : SSO_TEXTS.failed;
      return reply.redirect(
        withQuery(base, isFreshState(state) || isTestState(state) ? SIGNED_IN_AGAIN_PATH : '/login', { ssoError }),
        303,
      );
    }
  }

  registerPublicEndpoint(
    app,
    contract.saml2Answer,
    ({ params, body, request, reply }) =>
      land(request, reply, 'saml2', params.key, body.RelayState ?? '', body.SAMLResponse),
    options,
  );
  registerPublicEndpoint(
    app,
    contract.oidcAnswer,
    ({ params, query, request, reply }) => {
      const { state } = query;
      return land(request, reply, 'oidc', params.key, typeof state === 'string' ? state : '', '');
    },
    options,
  );
}

function registerSessionParts(app: FastifyInstance, deps: SsoRoutesDeps): void {
  const { sso, ssoSessions } = deps;

  registerPublicEndpoint(
    app,
    contract.redeemOtt,
    async ({ body, request, reply }) => {
      const from = { address: request.ip, client: clientOf(request) };
      const attempt = { ott: body.Ott, binding: bindingOf(request), ...from };
      const signedIn = await sso.redeem(attempt);
      return { ...answerSignedIn(reply, signedIn, deps.inactivityMinutes), UserName: signedIn.UserName };
    },
    { callsPerMinute: deps.signInsPerMinute },
  );
  registerEndpoint(app, contract.refreshSso, async ({ params, body, person, request }) => {
    const name = `${params.type}:${params.id}`;
    const ott = body?.Ott;
    const expiry =
      ott === undefined
        ? await ssoSessions.refresh(person, name)
        : await ssoSessions.refreshBy(person, name, await sso.prove(person, { ott, binding: bindingOf(request) }));
    return { ssoExpiry: expiry?.toISOString() ?? null };
  });
  registerEndpoint(app, contract.ssoLogoutUrl, async ({ params, person, request }) => ({
    url: await ssoSessions.logoutUrl(person, `${params.type}:${params.id}`, portalAddress(request, deps)),
  }));
}

/** The calls of administrators who test a provider. */
function registerTests(app: FastifyInstance, deps: SsoRoutesDeps): void {
  const { sso } = deps;
  const strictly = { callsPerMinute: deps.signInsPerMinute };
  registerEndpoint(
    app,
    setup.beginSignInTest,
    ({ body, person, request, reply }) => {
      const base = portalAddress(request, deps);
      return sso.beginTest(person, body.Name, { base, path: body.Path, binding: bindBrowser(request, reply) });
    },
    strictly,
  );
  registerEndpoint(
    app,
    setup.signInTestResult,
    ({ body, person, request }) => sso.testResult(person, { ott: body.Ott, binding: bindingOf(request) }),
    strictly,
  );
}

function registerSaml2Extras(app: FastifyInstance, deps: SsoRoutesDeps): void {
  const { sso, ssoSessions, saml2 } = deps;
  const named = (key: string): Saml2Provider => {
    const found = saml2.find((provider) => provider.key === key);
    if (!found) throw noProvider();
    return found;
  };

  registerPublicEndpoint(app, contract.saml2Metadata, ({ params, request, reply }) =>
    reply.type('application/samlmetadata+xml').send(named(params.key).metadata(portalAddress(request, deps))),
  );
  registerPublicEndpoint(
    app,
    contract.saml2Logout,
    async ({ params, query, request, reply }) => {
      const provider = named(params.key);
      const base = portalAddress(request, deps);
      // The response to a log-out that began here changes nothing, because the session has already ended.
      if (!('SAMLRequest' in query)) return reply.redirect(`${base}?sso=0`, 303);
      const callback = {
        query: queryOf(request),
        form: '',
        useOnce: (id: string, seconds: number) => sso.useOnce(id, seconds),
      };
      const logout = await provider.readLogout(base, callback).catch((cause: unknown) => {
        request.log.warn({ err: cause, provider: provider.name }, 'rejected a logout request');
        throw new AppError('logout', 400, 'The request to log out is not valid', { cause });
      });
      await ssoSessions.endFor(provider, logout.subject, logout.index);
      return reply.redirect(await logout.answer(), 303);
    },
    { callsPerMinute: deps.signInsPerMinute },
  );
}

const queryOf = (request: FastifyRequest): string => request.url.split('?').slice(1).join('?');

/** Returns the address of the portal, ending with a slash: as configured, otherwise as this browser used it. */
function portalAddress(request: FastifyRequest, { address, basePath }: SsoRoutesDeps): string {
  return address ?? new URL(`${request.protocol}://${request.host}${basePath}`).href;
}

/** @param path within the portal; may have its own query */
function withQuery(base: string, path: string, values: Record<string, string>): string {
  const [pagePath = '', query = ''] = path.split('#')[0]!.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  for (const name of ['sso', 'ott', 'ssoError']) parameters.delete(name);
  for (const [name, value] of Object.entries(values)) parameters.set(name, value);
  return `${base}${pagePath.replace(/^\/+/, '')}?${parameters.toString()}`;
}
