import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Database } from './db/database.ts';
import { registerHealthRoutes } from './features/health/health-routes.ts';
import { createRightsService, type RightsService } from './features/rights/rights-service.ts';
import { createPasswordKeysService } from './features/sessions/password-keys-service.ts';
import { registerSessionRoutes } from './features/sessions/sessions-routes.ts';
import { createSessionsService, type SessionsService } from './features/sessions/sessions-service.ts';
import { createSignInDelays, type SignInDelays } from './features/sessions/sign-in-delays.ts';
import { createSignInService } from './features/sessions/sign-in-service.ts';
import { createUsersService, type UsersService } from './features/users/users-service.ts';
import { createHttpServer } from './http/http-server.ts';
import { VERSION } from './version.ts';

/** The settings the API needs, out of all there are. */
export interface AppSettings {
  basePath: string;
  trustProxy: boolean | string;
  secure: boolean;
  tokenMinutes: number;
  inactivityMinutes: number;
  maxUploadBytes: number;
  title: string;
  rendererFolder: string;
  callsPerMinute: number;
  signInsPerMinute: number;
}

export interface AppDeps {
  config: AppSettings;
  database: Database;
  log: Logger;
  /** For tests that must not wait. */
  signInDelays?: SignInDelays;
}

export interface App {
  http: FastifyInstance;
  users: UsersService;
  rights: RightsService;
  sessions: SessionsService;
}

/** The composition root of the API: builds every part and passes it on as argument. Nothing is listened to yet. */
export async function createApp({ config, database, log, signInDelays = createSignInDelays() }: AppDeps): Promise<App> {
  const rights = createRightsService(database);
  const users = createUsersService(database);
  const sessions = createSessionsService({ database, log, ...config });
  const keys = createPasswordKeysService(database);
  const signIn = createSignInService({ database, log, users, sessions, keys, delays: signInDelays });

  const http = await createHttpServer({
    ...config,
    log,
    version: VERSION,
    guard: { authenticate: sessions.authenticate, mayCall: rights.mayCall },
    isOutage: (error) => database.dialect.classify(error).fault === 'connection',
  });
  registerHealthRoutes(http, database);
  registerSessionRoutes(http, { ...config, signIn, sessions, rights });
  // Features: one line each, with what they need.

  return { http, users, rights, sessions };
}
