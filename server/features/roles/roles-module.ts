import type { FastifyInstance } from 'fastify';
import type { EscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import type { Core } from '#server/features/core.ts';
import { registerRolesRoutes } from './roles-routes.ts';
import { createRolesService, type RolesService } from './roles-service.ts';

export const rolesModule = {
  create: (core: Core & { escalationGuard: EscalationGuard }) => ({ roles: createRolesService(core) }),
  register: (http: FastifyInstance, { roles }: { roles: RolesService }): void => registerRolesRoutes(http, roles),
};
