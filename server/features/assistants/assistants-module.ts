import type { FastifyInstance } from 'fastify';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { EvaluateService } from '#server/features/evaluate/evaluate-service.ts';
import type { RunEnds } from '#server/features/runs/runs-module.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import type { Callers } from '#server/features/sessions/sessions-module.ts';
import { ASSISTANT_PATH } from '#shared/contract/assistants.ts';
import { createAssistantCallers } from './assistant-callers.ts';
import { registerAssistantsRoutes } from './assistants-routes.ts';
import { createAssistantsService } from './assistants-service.ts';
import { createClientsService } from './oauth/clients-service.ts';
import { createConsentService } from './oauth/consent-service.ts';
import { createGrantsService } from './oauth/grants-service.ts';
import { registerOAuthRoutes } from './oauth/oauth-routes.ts';
import { createOffersService } from './offers-service.ts';
import { askedOf } from './protocol/mcp-server.ts';
import { createProtocolService } from './protocol/protocol-service.ts';
import { createRequests } from './tools/requests.ts';

export interface RouteNeeds extends Core {
  activities: ActivitiesService;
  callers: Callers;
  evaluations: EvaluateService;
  runEnds: RunEnds;
  runs: RunsService;
  starts: StartService;
}

export const assistantsModule = {
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { config, address, limits, secretKey } = parts;
    const { title } = config;
    const isOn = config.assistants !== 'off';
    const endpoints = endpointsOf(parts);
    const shared = { ...parts, resource: endpoints?.resource ?? null, grantDays: config.assistantGrantDays };
    const clients = createClientsService(parts.database);
    const grants = createGrantsService({ ...shared, clients });
    const requests = createRequests(secretKey, askedOf);
    const closing = new AbortController();
    const assistants = createAssistantsService({ ...parts, requests, closing: closing.signal });
    registerAssistantsRoutes(http, {
      protocol: createProtocolService({ ...parts, assistants, requests, title }),
      offers: createOffersService({ ...parts, isOn }),
      callers: createAssistantCallers({ ...parts, grants, hasGrants: endpoints !== null }),
      isOn,
      address,
      metadataAddress: endpoints?.metadata ?? null,
      close: () => closing.abort(),
    });
    registerOAuthRoutes(http, {
      clients,
      consent: createConsentService({ ...shared, clients, grants, issuer: endpoints?.issuer ?? null }),
      grants,
      endpoints,
      title,
      callsPerMinute: limits.signIns,
    });
  },
};

/** Returns the names that tokens are bound to; null if people cannot give grants to assistants. */
function endpointsOf({ config, address }: Core): { resource: string; issuer: string; metadata: string } | null {
  if (config.assistants !== 'signIn' || address === null) return null;
  return {
    resource: address + ASSISTANT_PATH,
    issuer: address.replace(/\/$/, ''),
    metadata: `${address}.well-known/oauth-protected-resource`,
  };
}
