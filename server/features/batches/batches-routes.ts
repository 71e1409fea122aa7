import type { FastifyInstance } from 'fastify';
import { readRowFile } from '#server/http/read-row-file.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { withIdempotencyKey } from '#server/http/idempotency-key.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/batches.ts';
import type { BatchesService } from './batches-service.ts';

export interface BatchesRoutesDeps {
  batches: BatchesService;
  fileStore: FileStore;
  maxUploadBytes: number;
}

export function registerBatchesRoutes(app: FastifyInstance, deps: BatchesRoutesDeps): void {
  const { batches } = deps;
  registerEndpoint(app, contract.listBatches, ({ person, params }) => batches.list(person, params.id));
  registerEndpoint(app, contract.batchTemplate, ({ person, params }) => batches.template(person, params.id));
  registerEndpoint(app, contract.uploadBatch, async ({ person, params, request, reply }) => {
    const gone = clientGone(reply);
    return readRowFile(request, deps.fileStore, deps.maxUploadBytes, (file) =>
      batches.check(person, params.id, file, gone),
    );
  });
  registerEndpoint(app, contract.startBatch, async ({ person, body, request }) => ({
    RunId: await batches.start(person, withIdempotencyKey(request, body)),
  }));
  registerEndpoint(app, contract.batchResults, ({ person, params }) => batches.results(person, params.id));
}
