import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import type { DirectoriesService } from '#server/features/directories/directories-service.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { registerSetupRoutes } from './setup-routes.ts';
import { createSetupService } from './setup-service.ts';

export const setupModule = {
  register: (
    http: FastifyInstance,
    parts: Core & { license: LicenseService; directories: DirectoriesService; users: UsersService },
  ): void => registerSetupRoutes(http, createSetupService(parts)),
};
