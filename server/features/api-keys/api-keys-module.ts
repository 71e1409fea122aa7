import type { FastifyInstance } from 'fastify';
import type { EscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import type { Core } from '#server/features/core.ts';
import type { UsersAdminService } from '#server/features/users/users-admin-service.ts';
import { registerApiKeysRoutes } from './api-keys-routes.ts';
import { createApiKeysService, type ApiKeysService } from './api-keys-service.ts';

export const apiKeysModule = {
  create: (core: Core & { usersAdmin: UsersAdminService; escalationGuard: EscalationGuard }) => ({
    apiKeys: createApiKeysService({ ...core, users: core.usersAdmin, enabled: core.config.enableUserApiKeys }),
  }),
  register: (http: FastifyInstance, { apiKeys }: { apiKeys: ApiKeysService }): void =>
    registerApiKeysRoutes(http, apiKeys),
};
