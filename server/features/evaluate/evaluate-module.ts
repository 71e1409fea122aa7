import type { FastifyInstance } from 'fastify';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { PickersService } from '#server/features/pickers/pickers-service.ts';
import { registerEvaluateRoutes, type EvaluateRoutesDeps } from './evaluate-routes.ts';
import { createEvaluateService } from './evaluate-service.ts';

export interface Needs extends Core {
  activities: ActivitiesService;
  pickers: PickersService;
  license: LicenseService;
}

export const evaluateModule = {
  create: (core: Needs) => {
    const { config, fileStore, license } = core;
    return {
      evaluations: createEvaluateService({
        ...core,
        files: fileStore,
        isLicensed: () => license.allowsRuns(),
        limits: { rows: config.evaluateRows, seconds: config.evaluateSeconds },
      }),
    };
  },
  register: (http: FastifyInstance, parts: EvaluateRoutesDeps): void => registerEvaluateRoutes(http, parts),
};
