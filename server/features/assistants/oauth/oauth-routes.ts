import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import {
  answerConsent,
  assistantToken,
  AUTHORIZATION_METADATA,
  registerClient,
  RESOURCE_METADATA,
  revokeToken,
  showConsent,
} from '#shared/contract/assistants.ts';
import type { ClientsService } from './clients-service.ts';
import type { ConsentService } from './consent-service.ts';
import type { GrantsService } from './grants-service.ts';
import { authorizationMetadata, resourceMetadata } from './oauth-metadata.ts';

export interface OAuthRoutesDeps {
  clients: ClientsService;
  consent: ConsentService;
  grants: GrantsService;
  /** Null if people cannot give grants to assistants. */
  endpoints: { resource: string; issuer: string } | null;
  title: string;
  /** Calls per minute of one address. */
  callsPerMinute: number;
}

export function registerOAuthRoutes(app: FastifyInstance, deps: OAuthRoutesDeps): void {
  const { consent } = deps;
  const required = (): { resource: string; issuer: string } => {
    if (!deps.endpoints) throw new AppError('notFound', 404, 'Not found');
    return deps.endpoints;
  };
  for (const endpoint of RESOURCE_METADATA) {
    registerPublicEndpoint(app, endpoint, () => {
      const { resource, issuer } = required();
      return resourceMetadata(resource, issuer, deps.title);
    });
  }
  for (const endpoint of AUTHORIZATION_METADATA) {
    registerPublicEndpoint(app, endpoint, () => authorizationMetadata(required().issuer));
  }
  registerEndpoint(app, showConsent, ({ person, body }) => {
    required();
    return consent.show(person, body.Request);
  });
  registerEndpoint(app, answerConsent, async ({ person, body, request }) => {
    required();
    const how = { scope: body.Scope, address: request.ip };
    return { Address: await consent.answer(person, body.Request, how) };
  });
  registerTokenRoutes(app, deps, required);
}

/** Answers with secrets must not be stored anywhere. RFC 6749, section 5.1. */
const NOT_STORED = { 'cache-control': 'no-store', pragma: 'no-cache' };

function registerTokenRoutes(
  app: FastifyInstance,
  { clients, grants, callsPerMinute }: OAuthRoutesDeps,
  required: () => unknown,
): void {
  const limits = { callsPerMinute };
  registerPublicEndpoint(
    app,
    registerClient,
    async ({ body, reply }) => {
      required();
      const { ClientId, Name, redirectUris } = await clients.register(body);
      void reply.code(201).headers(NOT_STORED);
      return {
        client_id: ClientId,
        client_name: Name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
    },
    limits,
  );
  registerPublicEndpoint(
    app,
    assistantToken,
    async ({ body, request, reply }) => {
      required();
      void reply.headers(NOT_STORED);
      return grants.exchange(body, request.ip);
    },
    limits,
  );
  registerPublicEndpoint(
    app,
    revokeToken,
    async ({ body, request, reply }) => {
      required();
      await grants.revoke(body.token, request.ip);
      void reply.headers(NOT_STORED);
      return {};
    },
    limits,
  );
}
