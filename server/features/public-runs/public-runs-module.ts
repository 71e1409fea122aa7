import type { FastifyInstance } from 'fastify';
import { createPublicVisitor } from '#server/access/public-visitor.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { EvaluateService } from '#server/features/evaluate/evaluate-service.ts';
import type { FormsService } from '#server/features/forms/forms-service.ts';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import type { RunDownloadsService } from '#server/features/runs/run-downloads-service.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { registerPublicRunsRoutes, type PublicRunsRoutesDeps } from './public-runs-routes.ts';
import { createPublicRunsService } from './public-runs-service.ts';

export interface Needs extends Core {
  users: UsersService;
  activities: ActivitiesService;
  forms: FormsService;
  pickers: PickersService;
  starts: StartService;
  runs: RunsService;
  downloads: RunDownloadsService;
  evaluations: EvaluateService;
}

export const publicRunsModule = {
  create: (core: Needs) => ({
    publicRuns: createPublicRunsService({ ...core, visitor: createPublicVisitor(core.users) }),
  }),
  register: (http: FastifyInstance, parts: PublicRunsRoutesDeps): void => registerPublicRunsRoutes(http, parts),
};
