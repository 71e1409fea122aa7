import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { groupFailures, planRetries, retryRuns } from '#shared/contract/run-failures.ts';
import { runTimeline } from '#shared/contract/run-timeline.ts';
import type { TimelineService } from '../timeline-service.ts';
import type { FailuresService } from './failures-service.ts';
import type { RetryPlanService } from './retry-plan.ts';
import type { RetryRunsService } from './retry-runs.ts';

export interface FailuresRoutesDeps {
  failures: FailuresService;
  retryPlans: RetryPlanService;
  retryRuns: RetryRunsService;
  timeline: TimelineService;
}

/** Calls of the operator's page. */
export function registerFailuresRoutes(app: FastifyInstance, deps: FailuresRoutesDeps): void {
  registerEndpoint(app, groupFailures, ({ person, body }) => deps.failures.groups(person, body));
  registerEndpoint(app, planRetries, ({ person, body }) => deps.retryPlans.plan(person, body));
  registerEndpoint(app, retryRuns, ({ person, body }) => deps.retryRuns.retry(person, body.Ids));
  registerEndpoint(app, runTimeline, ({ person, body }) => deps.timeline.read(person, body));
}
