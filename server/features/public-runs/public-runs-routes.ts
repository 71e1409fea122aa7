import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SamplesService } from '#server/features/forms/samples-service.ts';
import type { Person } from '#server/base/person.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import { RUN_TOKEN_HEADER } from '#shared/contract/headers.ts';
import * as contract from '#shared/contract/public-runs.ts';
import type { PublicRunsService, RunKey } from './public-runs-service.ts';

export interface PublicRunsRoutesDeps {
  publicRuns: PublicRunsService;
  samples: SamplesService;
  /** Stores the files of a call for an input. */
  upload: (visitor: Person, request: FastifyRequest) => Promise<ResultOf<typeof contract.publicUploadFiles>>;
  /** Maximum number of each of these calls per IP address and minute. */
  limits: { publicCalls: number; publicStarts: number };
}

/** Enough for a large form. People who need to send more can sign in. */
const BODY_BYTES = 8 * 1024 * 1024;

export function registerPublicRunsRoutes(app: FastifyInstance, deps: PublicRunsRoutesDeps): void {
  const { publicRuns, samples, upload } = deps;
  const often = { callsPerMinute: deps.limits.publicCalls };
  const seldom = { callsPerMinute: deps.limits.publicStarts };
  registerPublicEndpoint(app, contract.publicActivityDetails, ({ params }) => publicRuns.details(params.id), often);
  registerPublicEndpoint(
    app,
    contract.publicPicker,
    ({ params, body, reply }) => publicRuns.pick(params, body, clientGone(reply)),
    often,
  );
  registerPublicEndpoint(app, contract.publicUpdateUi, ({ body }) => publicRuns.updateUi(body), {
    ...often,
    bodyLimit: BODY_BYTES,
  });
  registerPublicEndpoint(app, contract.publicStartRun, ({ body, request }) => publicRuns.start(body, request.ip), {
    ...seldom,
    bodyLimit: BODY_BYTES,
  });
  registerPublicEndpoint(
    app,
    contract.publicUploadFiles,
    async ({ request }) => upload(await publicRuns.visitor(), request),
    seldom,
  );
  const sample = async (id: number, format: number): Promise<string> =>
    samples.token(await publicRuns.visitor(), id, format);
  registerPublicEndpoint(app, contract.publicSample, ({ params }) => sample(params.id, 0), seldom);
  registerPublicEndpoint(app, contract.publicSampleAs, ({ params }) => sample(params.id, params.n), seldom);
  registerRuns(app, deps);
}

function registerRuns(app: FastifyInstance, { publicRuns, limits }: PublicRunsRoutesDeps): void {
  const often = { callsPerMinute: limits.publicCalls };
  registerPublicEndpoint(
    app,
    contract.publicRunDetails,
    ({ params, request }) => publicRuns.run(keyOf(request, params.id)),
    often,
  );
  registerPublicEndpoint(
    app,
    contract.publicRunState,
    ({ params, request }) => publicRuns.state(keyOf(request, params.id)),
    often,
  );
  registerPublicEndpoint(
    app,
    contract.publicProvideInput,
    async ({ body, request }) => {
      await publicRuns.provideInput(keyOf(request, body.ActivityRunId), body);
      return null;
    },
    often,
  );
  const files = [
    ['input', contract.publicInputFile, contract.publicInputFileAt],
    ['output', contract.publicOutputFile, contract.publicOutputFileAt],
  ] as const;
  for (const [kind, first, indexed] of files) {
    const token = (request: FastifyRequest, { runId, parameterId, index = 0 }: FileParams): Promise<string> =>
      publicRuns.file(keyOf(request, runId), kind, { parameterId, index });
    registerPublicEndpoint(app, first, ({ params, request }) => token(request, params as FileParams), often);
    registerPublicEndpoint(app, indexed, ({ params, request }) => token(request, params as FileParams), often);
  }
}

interface FileParams {
  runId: number;
  parameterId: number;
  index?: number;
}

function keyOf({ headers }: FastifyRequest, runId: number): RunKey {
  const token = headers[RUN_TOKEN_HEADER];
  return { runId, token: typeof token === 'string' ? token : '' };
}
