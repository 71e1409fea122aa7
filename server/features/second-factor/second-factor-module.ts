import type { FastifyInstance } from 'fastify';
import type { EscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import type { Core } from '#server/features/core.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { SignInService } from '#server/features/sessions/sign-in-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { createCodeAttempts } from './code-attempts.ts';
import { createFactorKeys } from './factor-keys.ts';
import { registerSecondFactorRoutes } from './second-factor-routes.ts';
import { createSecondFactorService, type SecondFactorService } from './second-factor-service.ts';

export interface Needs extends Core {
  users: UsersService;
  sessions: SessionsService;
  escalationGuard: EscalationGuard;
}

export interface RouteNeeds extends Core {
  secondFactor: SecondFactorService;
  signIn: SignInService;
  sessions: SessionsService;
}

export const secondFactorModule = {
  create: (core: Needs) => {
    const { config, database, secretKey, failures, codeAttempts } = core;
    const { title: issuer, secondFactorTolerance: tolerance, requireSecondFactor: required } = config;
    return {
      secondFactor: createSecondFactorService({
        ...core,
        keys: createFactorKeys(database, { secretKey, issuer, tolerance }),
        attempts: codeAttempts ?? createCodeAttempts(failures),
        required,
      }),
    };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void =>
    registerSecondFactorRoutes(http, { ...parts, signInsPerMinute: parts.limits.signIns }),
};
