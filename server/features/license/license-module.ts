import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import type { PasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import { registerLicenseRoutes } from './license-routes.ts';
import { createLicenseService, type LicenseService } from './license-service.ts';

export const licenseModule = {
  create: (core: Core & { keys: PasswordKeysService }) => ({ license: createLicenseService(core) }),
  register: (http: FastifyInstance, { license }: { license: LicenseService }): void =>
    registerLicenseRoutes(http, license),
};
