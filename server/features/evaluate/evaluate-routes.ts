import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import type { PublicRunsService } from '#server/features/public-runs/public-runs-service.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import { evaluateActivity, NDJSON, publicEvaluate } from '#shared/contract/evaluate.ts';
import { answerLines, jsonAnswer } from './evaluate-answer.ts';
import type { EvaluateService, Evaluation } from './evaluate-service.ts';

export interface EvaluateRoutesDeps {
  evaluations: EvaluateService;
  publicRuns: Pick<PublicRunsService, 'evaluate'>;
  /** Calls of visitors per IP address and minute. */
  limits: { publicStarts: number };
}

/** As for starts: columns may have hundreds of thousands of values. */
const BODY_BYTES = 64 * 1024 * 1024;
const PUBLIC_BODY_BYTES = 8 * 1024 * 1024;

export function registerEvaluateRoutes(app: FastifyInstance, deps: EvaluateRoutesDeps): void {
  const { evaluations, publicRuns, limits } = deps;
  registerEndpoint(
    app,
    evaluateActivity,
    async ({ person, params, body, request, reply }) => {
      const call = { person, activityId: params.id, body, address: request.ip, signal: clientGone(reply) };
      return (await answer(request, reply, await evaluations.evaluate(call))) as never;
    },
    { bodyLimit: BODY_BYTES },
  );
  registerPublicEndpoint(
    app,
    publicEvaluate,
    async ({ params, body, request, reply }) => {
      const call = { activityId: params.id, body, address: request.ip, signal: clientGone(reply) };
      return (await answer(request, reply, await publicRuns.evaluate(call))) as never;
    },
    { bodyLimit: PUBLIC_BODY_BYTES, callsPerMinute: limits.publicStarts },
  );
  // A stop does not wait for the end of long calls.
  app.addHook('preClose', async () => evaluations.close());
}

async function answer(request: FastifyRequest, reply: FastifyReply, evaluation: Evaluation): Promise<FastifyReply> {
  if (!request.headers.accept?.includes(NDJSON)) {
    const text = await jsonAnswer(evaluation);
    return reply.type('application/json; charset=utf-8').send(text);
  }
  // Proxies must forward each line immediately.
  void reply.type(NDJSON).header('x-accel-buffering', 'no');
  return reply.send(Readable.from(answerLines(evaluation, (error) => failureOf(request, error))));
}

/** Returns what the last line says about an error. An unexpected one is logged, and only its id is sent. */
function failureOf(request: FastifyRequest, error: unknown): AppError {
  if (error instanceof AppError) return error;
  request.log.error({ err: error }, 'unexpected error');
  return new AppError('unexpected', 500, `Unexpected error (id ${request.id})`);
}
