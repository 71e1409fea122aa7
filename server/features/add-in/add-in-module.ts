import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { SsoSessions } from '#server/features/single-sign-on/single-sign-on-module.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { registerAddInRoutes } from './add-in-routes.ts';
import { createAddInService } from './add-in-service.ts';

export interface Needs extends Core {
  users: UsersService;
  sessions: SessionsService;
  ssoSessions: SsoSessions;
}

export const addInModule = {
  register: (http: FastifyInstance, parts: Needs): void => {
    const { config, address, limits, ssoSessions } = parts;
    const addIn = createAddInService({ ...parts, shareSso: (db, from, to) => ssoSessions.share(db, from, to) });
    const { title, inactivityMinutes } = config;
    registerAddInRoutes(http, addIn, { inactivityMinutes, signInsPerMinute: limits.signIns, address, title });
  },
};
