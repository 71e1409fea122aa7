import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { forwardSecurityLog } from './forward-security-log.ts';
import { registerSecurityActionsRoutes } from './security-actions-routes.ts';
import { createSecurityActionsService } from './security-actions-service.ts';
import type { SecurityLogForwarder } from './security-log-forwarder.ts';

export const securityActionsModule = {
  create: ({ config, database, log }: Core) => ({
    /** Starts to forward the log; returns null if the settings name no server. */
    forwardSecurityLog: (): SecurityLogForwarder | null => forwardSecurityLog(config, database, log),
  }),
  register: (http: FastifyInstance, { database, files }: Core & { files: FilesService }): void =>
    registerSecurityActionsRoutes(http, createSecurityActionsService(database, files)),
};
