import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/child-runs.ts';
import type { ChildRunsService } from './child-runs-service.ts';

export function registerChildRunsRoutes(app: FastifyInstance, children: ChildRunsService): void {
  registerEndpoint(app, contract.childRunSteps, async ({ person, params }) => ({
    Items: await children.steps(person, params.runId),
  }));
  registerEndpoint(app, contract.childRuns, ({ person, body }) => children.page(person, body));
  registerEndpoint(app, contract.downloadChildRuns, ({ person, body }) => children.download(person, body));
  registerEndpoint(app, contract.retryChildRuns, async ({ person, params, body }) => ({
    Count: await children.retry(person, params.runId, body.StepKey),
  }));
}
