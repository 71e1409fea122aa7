import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertStoredFiles, newFileId } from '#server/files/stored-files.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

let app: TestApp;
let runner: Awaited<ReturnType<typeof signedInUser>>;
let documentId: string;
beforeAll(async () => {
  app = await testApp();
  const { knex } = app.database;
  runner = await signedInUser(app, ['sk.RunActivity']);
  const ActivityId = await insertActivity(knex, { UserId: runner.UserId });
  const ActivityRunId = await insertRun(knex, { ActivityId, UserId: runner.UserId, Status: 'Succeeded' });
  const { key, contentLength, sha256 } = await app.fileStore.put(Buffer.from('the report'));
  documentId = newFileId();
  const file = { FileId: documentId, FileName: 'Bericht "März".txt', ContentLength: contentLength };
  const rest = { Sha256: sha256, Purpose: 'output' as const, UserId: null, ActivityParameterId: null };
  await insertStoredFiles(knex, [{ ...file, ...rest, StoreKey: key }]);
  await knex('RunOutputs').insert({ ...file, ActivityRunId });
});
afterAll(() => app.close());

const find = (headers: object, id = documentId) =>
  app.http.inject({ url: `/api/documents/${id}`, headers: { ...headers } });

test('who may see the run downloads the document of its link', async () => {
  const { FileName, Token } = (await find(runner.headers)).json<{ result: { FileName: string; Token: string } }>()
    .result;
  expect(FileName).toBe('Bericht "März".txt');
  const file = await app.http.inject({ url: `/api/documents/token/${Token}` });
  expect(file.body).toBe('the report');
  expect(file.headers['content-disposition']).toMatch(/^attachment/);
  expect((await app.http.inject({ url: `/api/documents/token/${Token}x` })).statusCode).toBe(404);
});

test('the link alone opens nothing: 401 for visitors, 403 for those who may not see the run, 404 if there is no document', async () => {
  expect((await find({})).statusCode).toBe(401);
  const stranger = await signedInUser(app);
  const refused = await find(stranger.headers);
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'You do not have permissions to download this file',
  ]);
  expect((await find(runner.headers, newFileId())).statusCode).toBe(404);
  // Malformed ids get the same 404, not an error about their characters.
  for (const id of ['none', 'x.y', '%27--', 'ש']) expect((await find(runner.headers, id)).statusCode).toBe(404);
  const [{ StoreKey }] = await app.database.knex('StoredFiles').where({ FileId: documentId });
  await app.fileStore.delete(StoreKey);
  expect((await find(runner.headers)).statusCode).toBe(404);
});
