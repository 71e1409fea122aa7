import type { FastifyInstance } from 'fastify';
import { readRowFile } from '#server/http/read-row-file.ts';
import { actorOf } from '#server/access/actor.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/test-beds.ts';
import type { RefusedVersionsService } from './refused-versions-service.ts';
import type { TestBedsService } from './test-beds-service.ts';

export interface TestBedsRoutesDeps {
  testBeds: TestBedsService;
  refusedVersions: RefusedVersionsService;
  fileStore: FileStore;
  maxUploadBytes: number;
}

/** Cases with tables can be long. */
const CASE_BODY_BYTES = 16 * 1024 * 1024;

export function registerTestBedsRoutes(app: FastifyInstance, deps: TestBedsRoutesDeps): void {
  const { testBeds, refusedVersions } = deps;
  registerEndpoint(app, contract.testBed, ({ person, params }) => testBeds.read(person, params.id));
  registerEndpoint(app, contract.testCase, ({ person, params }) => testBeds.readCase(person, params.id));
  registerEndpoint(app, contract.saveTestBed, async ({ person, body, request }) => {
    await testBeds.save(person, actorOf(person, request.ip), body);
    return null;
  });
  registerEndpoint(
    app,
    contract.saveTestCase,
    async ({ person, body }) => ({ Id: await testBeds.saveCase(person, body) }),
    { bodyLimit: CASE_BODY_BYTES },
  );
  registerEndpoint(app, contract.testCaseOfRun, async ({ person, params }) => ({
    Id: await testBeds.ofRun(person, params.runId),
  }));
  registerEndpoint(app, contract.deleteTestCase, async ({ person, params }) => {
    await testBeds.deleteCase(person, params.id);
    return null;
  });
  registerEndpoint(app, contract.replayTestBed, async ({ person, body, reply }) => ({
    Cases: await testBeds.replay(person, body.ActivityId, body.CaseId, clientGone(reply)),
  }));
  registerEndpoint(app, contract.testCaseTemplate, ({ person, params }) => testBeds.template(person, params.id));
  registerEndpoint(app, contract.importTestCases, async ({ person, params, request, reply }) => {
    const gone = clientGone(reply);
    return readRowFile(request, deps.fileStore, deps.maxUploadBytes, async (file) => ({
      Count: await testBeds.importCases(person, params.id, file, gone),
    }));
  });
  registerEndpoint(app, contract.publishRefused, async ({ person, params, reply }) => ({
    Version: await refusedVersions.publish(person, params.id, clientGone(reply)),
  }));
  registerEndpoint(app, contract.downloadRefused, ({ person, params }) => refusedVersions.download(person, params.id));
  registerEndpoint(app, contract.deleteRefused, async ({ person, params }) => {
    await refusedVersions.delete(person, params.id);
    return null;
  });
}
