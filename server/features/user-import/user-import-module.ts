import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import type { RolesService } from '#server/features/roles/roles-service.ts';
import type { UsersAdminService } from '#server/features/users/users-admin-service.ts';
import { registerUserImportRoutes } from './user-import-routes.ts';
import { createUserImportService } from './user-import-service.ts';

export const userImportModule = {
  register: (http: FastifyInstance, parts: Core & { usersAdmin: UsersAdminService; roles: RolesService }): void =>
    registerUserImportRoutes(http, createUserImportService({ ...parts, users: parts.usersAdmin })),
};
