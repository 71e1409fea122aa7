import type { FastifyInstance } from 'fastify';
import { downloadSecurityActions, securityActionsList } from '#shared/contract/security.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { SecurityActionsService } from './security-actions-service.ts';

export function registerSecurityActionsRoutes(app: FastifyInstance, actions: SecurityActionsService): void {
  registerEndpoint(app, securityActionsList, ({ params, query }) => actions.list(params.lastId, query));
  registerEndpoint(app, downloadSecurityActions, ({ person }) => actions.download(person));
}
