import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LogCode } from '#shared/rules/log-codes.ts';
import { createAnswerEncryption } from '#server/queue/steps/encrypted-answer.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { input, multipart, output } from '#test/support/portal.ts';
import {
  EMPTY_DEFINITION,
  insertActivity,
  insertRun,
  insertSecondVersion,
  insertVersionFile,
} from '#test/support/runs.ts';
import { createUser, postToken, signedInUser } from '#test/support/users.ts';

const LOG = { Time: new Date(), Category: 3 };

const definition: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [
    input('Amount'),
    input('Paper', { CellUsages: ['FilePath'], Blanks: [true] }),
    input('Secret', { Specifications: ['Hidden'], DefaultValue: '42' }),
    input('Folder', { CellUsages: ['StaticFolder'] }, [['internal']]),
    input('Guarded', { AllowDefaultValue: true }, [null], 'sk.EditActivity'),
  ],
  outputs: [output('Total'), output('Report', { CellUsages: ['FilePath'] })],
};

let app: TestApp;
let owner: Awaited<ReturnType<typeof signedInUser>>;
let openId: number;
let closedId: number;
let ids: Record<string, number>;

const allow = (RightName: string, key: { Id?: number } = {}, Access = 1) =>
  app.database.knex('Grants').insert({
    RightName,
    KeyColumnName: key.Id === undefined ? '' : 'Id',
    KeyColumnValue: key.Id === undefined ? '' : String(key.Id),
    GranteeKind: 'internet',
    Grantee: '',
    Access,
  });

beforeAll(async () => {
  app = await testApp({
    limits: { calls: 1_000_000, signIns: 1_000_000, publicCalls: 1000, publicStarts: 1000 },
    settings: { staticFolders: ['internal=/srv/portal'] },
  });
  const { knex } = app.database;
  owner = await signedInUser(app, ['sk.RunActivity']);
  openId = await insertActivity(knex, { UserId: owner.UserId, Name: 'Open', definition });
  closedId = await insertActivity(knex, { UserId: owner.UserId, Name: 'Closed', definition });
  const rows = await knex('ActivityParameters').where({ ActivityId: openId }).select('Id', 'Name');
  ids = Object.fromEntries(rows.map(({ Id, Name }) => [Name, Id]));
  await knex('ActivityParameters').where('Id', ids['Folder']).update({ PresetValue: '{"FolderKey":"internal"}' });
  await allow('sk.RunActivity', { Id: openId });
  // Rights of people who sign in from the internet grant nothing to visitors.
  for (const right of ['sk.RunActivity', 'sk.EditActivity', 'sk.ViewRuns', 'sk.CancelAnyRun']) await allow(right);
});
afterAll(() => app.close());

async function call(method: 'GET' | 'POST', url: string, payload?: object, headers: Record<string, string> = {}) {
  const answer = await app.http.inject({ method, url: `/api/${url}`, payload, headers });
  return { status: answer.statusCode, body: answer.json() };
}
const get = (url: string, token = '') => call('GET', `public/activities/${url}`, undefined, { 'x-run-token': token });
const post = (url: string, payload: object, token = '') =>
  call('POST', `public/activities/${url}`, payload, { 'x-run-token': token });
const startBody = (more: object = {}) => ({
  ActivityId: openId,
  ActivityVersion: 1,
  UniqueId: 'the same form',
  Inputs: [{ ActivityParameterId: ids['Amount'], Value: '5' }],
  ...more,
});
const start = async (more?: object): Promise<{ Id: number; RunToken: string }> =>
  (await post('start', startBody(more))).body.result;

/** Ends a run as a worker would. */
async function end(ActivityRunId: number): Promise<void> {
  const { knex } = app.database;
  const { key, contentLength, sha256 } = await app.fileStore.put(Buffer.from('report'));
  const file = (FileId: string) => ({
    FileId,
    StoreKey: key,
    FileName: 'report.txt',
    ContentLength: contentLength,
    Sha256: sha256,
    Purpose: 'output',
  });
  await knex('StoredFiles').insert([file(`report-${ActivityRunId}`), file(`book-${ActivityRunId}`)]);
  const made = { ActivityRunId, FileName: 'report.txt', ContentLength: 6 };
  await knex('RunOutputs').insert([
    { ActivityRunId, ActivityParameterId: ids['Total'], Value: '10' },
    { ...made, ActivityParameterId: ids['Report'], FileId: `report-${ActivityRunId}` },
    { ...made, ActivityParameterId: null, FileId: `book-${ActivityRunId}` },
  ]);
  await knex('RunLogEntries').insert([
    { ...LOG, ActivityRunId, StatusCode: 1, Message: 'The amount is too small' },
    { ...LOG, ActivityRunId, StatusCode: 10_001, Message: 'at /srv/portal/internal' },
  ]);
  await knex('ActivityRuns').where('Id', ActivityRunId).update({ Status: 'Failed', EndTime: new Date() });
}

describe('an activity', () => {
  test('is open to visitors only where the internet may run it by name', async () => {
    expect((await get(`details/${openId}`)).status).toBe(200);
    const closed = await get(`details/${closedId}`);
    expect(closed).toEqual(await get('details/999999'));
    expect(closed.status).toBe(404);
    expect((await post('start', startBody({ ActivityId: closedId }))).status).toBe(404);
    const form = { ActivityId: closedId, ActivityVersion: 1, UniqueId: null, Inputs: [] };
    expect((await post('updateui', form)).status).toBe(404);
    expect((await post(`picker/${closedId}/${ids['Amount']}/0`, {})).status).toBe(404);
  });

  test('shows visitors what they fill in, and nothing of what is inside', async () => {
    const { result } = (await get(`details/${openId}`)).body;
    expect(result).toMatchObject({ Name: 'Open', CanRun: true, CanEdit: false, Schema: '', LastRun: null });
    const shown = result.Inputs.map((one: { Name: string; HasAccess: boolean }) => [one.Name, one.HasAccess]);
    expect(shown).toEqual([
      ['Amount', true],
      ['Paper', true],
      ['Folder', true],
      ['Guarded', false],
    ]);
    expect(JSON.stringify(result)).not.toMatch(/internal|42/);
    for (const name of ['Folder', 'Secret']) {
      expect((await post(`picker/${openId}/${ids[name]}/0`, {})).status).toBe(404);
    }
  });

  test('of which visitors saw an older version runs that one only where they accept it', async () => {
    const { knex } = app.database;
    const FileId = await insertVersionFile(knex, 'workbook-with-two-versions');
    const ActivityId = await insertActivity(knex, { UserId: owner.UserId, FileId });
    await allow('sk.RunActivity', { Id: ActivityId });
    await insertSecondVersion(knex, ActivityId);
    const body = startBody({ ActivityId, Inputs: [] });
    const refused = await post('start', body);
    expect([refused.status, refused.body.code]).toEqual([409, 'activityVersionOutdated']);
    const { Id } = (await post('start', { ...body, AcceptOutdatedVersion: true })).body.result;
    expect((await knex('ActivityRuns').where({ Id }).first()).ActivityVersion).toBe(1);
  });

  test('is refused to visitors while a run is pending that prevents others', async () => {
    const { knex } = app.database;
    const single = await insertActivity(knex, { UserId: owner.UserId, SingleRun: true });
    await allow('sk.RunActivity', { Id: single });
    const body = startBody({ ActivityId: single, Inputs: [] });
    expect((await get(`details/${single}`)).body.result.IsRunning).toBe(false);
    expect((await post('start', body)).status).toBe(200);
    const { result } = (await get(`details/${single}`)).body;
    expect([result.IsRunning, result.LastRun]).toEqual([true, null]);
    const { status, body: refused } = await post('start', body);
    expect([status, refused.message]).toEqual([409, 'The activity is already running and cannot be run now.']);
  });
});

describe('a run of a visitor', () => {
  test('opens with its own token alone', async () => {
    const mine = await start();
    const other = await start();
    expect(mine.Id).not.toBe(other.Id);
    const paths = [`status/${mine.Id}`, `output/download/${mine.Id}/${ids['Report']}`];
    await end(mine.Id);
    for (const path of [...paths, `output/download/${mine.Id}/${ids['Report']}/0`]) {
      expect([path, (await get(path, mine.RunToken)).status]).toEqual([path, 200]);
      for (const token of ['', other.RunToken, `${mine.RunToken}x`, 'null']) {
        expect([path, (await get(path, token)).status]).toEqual([path, 404]);
      }
    }
    expect((await post(`status/${mine.Id}`, [], mine.RunToken)).status).toBe(200);
    expect((await post(`status/${mine.Id}`, [], other.RunToken)).status).toBe(404);
    expect((await get(`input/download/${mine.Id}/${ids['Paper']}`, other.RunToken)).status).toBe(404);
  });

  test('shows its outputs and root causes, and neither the workbook nor details of the system', async () => {
    const { Id, RunToken } = await start();
    await end(Id);
    const { result } = (await get(`status/${Id}`, RunToken)).body;
    expect(result).toMatchObject({ Status: 'Failed', UserFullName: '', ActivityLinks: [], CanPurge: false });
    expect(result.StoredFileNames).toEqual(['report.txt']);
    expect(result.StoredFiles).toMatchObject([{ DocumentId: '', ActivityParameterId: ids['Report'] }]);
    expect(result.LogEntries.map(({ Message }: { Message: string }) => Message)).toEqual(['The amount is too small']);
    expect(result.Inputs.map(({ Name }: { Name: string }) => Name)).toEqual(['Amount', 'Paper', 'Guarded']);
    const state = (await post(`status/${Id}`, [], RunToken)).body.result;
    expect(JSON.stringify([result, state])).not.toMatch(/srv|internal/);
  });

  test('its state says which output has an error, as the whole run does, and no formula', async () => {
    const { Id: ActivityRunId, RunToken } = await start();
    const { knex } = app.database;
    const Value = JSON.stringify({ error: '#DIV/0!' });
    await knex('RunOutputs').insert({ ActivityRunId, ActivityParameterId: ids['Total'], Value });
    const Message = "Output 'Total' has the error #DIV/0! in cell B2 of sheet 'Margins' (=Cost/Secret)";
    await knex('RunLogEntries').insert({ ...LOG, ActivityRunId, StatusCode: LogCode.ErrorInOutput, Message });
    await knex('ActivityRuns').where('Id', ActivityRunId).update({ Status: 'SucceededWarn', EndTime: new Date() });
    const state = await post(`status/${ActivityRunId}`, [], RunToken);
    const messages = state.body.result.LogEntries.map((entry: { Message: string }) => entry.Message);
    expect(messages).toEqual(["Output 'Total' has the error #DIV/0!"]);
    expect((await get(`status/${ActivityRunId}`, RunToken)).body.result.LogEntries[0].Message).toBe(messages[0]);
    expect(JSON.stringify(state.body)).not.toMatch(/Secret|Margins/);
  });

  test('is never one that a user started, whatever token is shown', async () => {
    const { knex } = app.database;
    const Id = await insertRun(knex, { ActivityId: openId, UserId: owner.UserId, Status: 'Succeeded' });
    const { RunToken } = await start();
    for (const token of ['', 'null', 'undefined', RunToken])
      expect((await get(`status/${Id}`, token)).status).toBe(404);
  });

  test('is not available through calls for users, to those who may not see the runs of others', async () => {
    const { Id, RunToken } = await start();
    const asUser = { ...owner.headers, 'x-run-token': RunToken };
    expect((await call('GET', `activities/status/${Id}`, undefined, asUser)).status).toBe(404);
    expect((await call('GET', `activities/status/${Id}`, undefined, { 'x-run-token': RunToken })).status).toBe(401);
    expect((await call('POST', `activities/cancel/${Id}`, undefined, { 'x-run-token': RunToken })).status).toBe(401);
  });

  test('closes when the internet may no longer run the activity', async () => {
    const { knex } = app.database;
    const short = await insertActivity(knex, { UserId: owner.UserId });
    await allow('sk.RunActivity', { Id: short });
    const { Id, RunToken } = await start({ ActivityId: short, Inputs: [] });
    expect((await get(`status/${Id}`, RunToken)).status).toBe(200);
    await knex('Grants')
      .where({ KeyColumnValue: String(short) })
      .update({ Access: -1 });
    expect((await get(`status/${Id}`, RunToken)).status).toBe(404);
    expect((await get(`details/${short}`)).status).toBe(404);
  });

  test('keeps no token that could be read from the database', async () => {
    const { Id, RunToken } = await start();
    const row = await app.database.knex('ActivityRuns').where({ Id }).first();
    expect(RunToken).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(row)).not.toContain(RunToken);
  });
});

describe('a question of a visitor’s run', () => {
  /** Adds a prompt as a worker that waits for the answer would. */
  async function ask(ActivityRunId: number, PromptKey: string): Promise<void> {
    const { knex } = app.database;
    const { publicKey } = createAnswerEncryption();
    const ExpiryTime = new Date(Date.now() + 600_000);
    await knex('ActivityRuns').where('Id', ActivityRunId).update({ Status: 'Started' });
    await knex('RunPrompts').insert({ PromptKey, ActivityRunId, Type: 'Text', ExpiryTime, PublicKey: publicKey });
    const line = { Time: new Date(), Category: 1, StatusCode: 0, Message: 'Which rate?' };
    await knex('RunLogEntries').insert({ ...line, ActivityRunId, PromptKey });
  }
  const answer = (ActivityRunId: number, Key: string, token: string) =>
    post('provideinput', { ActivityRunId, Key, Value: '7' }, token);

  test('is put to the visitor, who alone answers it, once', async () => {
    const mine = await start();
    const other = await start();
    await ask(mine.Id, 'mine');
    await ask(other.Id, 'other');
    for (const { body } of [
      await get(`status/${mine.Id}`, mine.RunToken),
      await post(`status/${mine.Id}`, [], mine.RunToken),
    ])
      expect(body.result.LogEntries).toMatchObject([{ Message: 'Which rate?', prompt: { key: 'mine', type: 'Text' } }]);
    for (const token of ['', other.RunToken, `${mine.RunToken}x`])
      expect((await answer(mine.Id, 'mine', token)).status).toBe(404);
    // Naming one's own run does not help either.
    expect((await answer(other.Id, 'mine', other.RunToken)).status).toBe(404);
    const { knex } = app.database;
    expect(await knex('RunPrompts').where('PromptKey', 'mine').whereNotNull('AnswerTime')).toEqual([]);
    expect(await answer(mine.Id, 'mine', mine.RunToken)).toEqual({ status: 200, body: { result: null } });
    expect((await answer(mine.Id, 'mine', mine.RunToken)).status).toBe(409);
    expect((await get(`status/${mine.Id}`, mine.RunToken)).body.result.LogEntries[0].prompt).toBeUndefined();
  });

  test('is not put to users, and those of users are not put to visitors', async () => {
    const { knex } = app.database;
    const watcher = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
    const { Id, RunToken } = await start();
    await ask(Id, 'public');
    const body = { ActivityRunId: Id, Key: 'public', Value: '7' };
    expect((await call('POST', 'activities/provideinput', body, watcher.headers)).status).toBe(403);
    const seen = await call('GET', `activities/status/${Id}`, undefined, watcher.headers);
    expect(seen.body.result.LogEntries[0].prompt).toBeUndefined();
    const users = await insertRun(knex, { ActivityId: openId, UserId: owner.UserId, Status: 'Started' });
    await ask(users, 'user');
    expect((await answer(users, 'user', RunToken)).status).toBe(404);
  });
});

describe('a visitor', () => {
  test('uploads and sends their own files, and none of a user', async () => {
    const upload = async (url: string, headers: Record<string, string>): Promise<string> => {
      const form = multipart({ ActivityInputId: String(ids['Paper']), LinkId: '' }, [{ name: 'a.txt', content: 'a' }]);
      const answer = await app.http.inject({
        method: 'POST',
        url,
        headers: { ...form.headers, ...headers },
        payload: form.payload,
      });
      return answer.json().Items[0].Id;
    };
    const send = (FileId: string) => {
      const paper = { ActivityParameterId: ids['Paper'], ArrayIndex: 0, FileId, FileName: 'a.txt' };
      return post('start', startBody({ Inputs: [...startBody().Inputs, paper] }));
    };
    expect((await send(await upload('/api/public/files/upload', {}))).status).toBe(200);
    const refused = await send(await upload('/api/files/upload', owner.headers));
    expect([refused.status, refused.body.modelState]).toEqual([400, { Paper: ['Please choose a file'] }]);
  });

  test('follows no links', async () => {
    const form = { ActivityId: openId, ActivityVersion: 1, UniqueId: null, Inputs: [], LinkId: 1, ActivityRunId: 1 };
    expect((await post('updateui', form)).status).toBe(200);
  });

  test('is in no list of users, and nobody signs in as one', async () => {
    await start();
    const admin = await createUser(app, { isUserAdmin: true });
    const token = (await postToken(app, admin.UserName, 'Correct-Horse-7')).body.access_token;
    const listed = await call('GET', 'users', undefined, { authorization: `Bearer ${token}` });
    expect(listed.status).toBe(200);
    expect(JSON.stringify(listed.body)).not.toMatch(/public/i);
    expect((await postToken(app, '*public*', 'anything')).status).toBe(400);
  });
});

test('an address can start so many runs in a minute', async () => {
  const strict = await testApp({ limits: { publicStarts: 2 } });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++) {
    const payload = { ActivityId: 1, ActivityVersion: 1, UniqueId: null, Inputs: [] };
    const url = '/api/public/activities/start';
    statuses.push((await strict.http.inject({ method: 'POST', url, payload })).statusCode);
  }
  await strict.close();
  expect(statuses).toEqual([404, 404, 429]);
});
