import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActivityDefinition } from '#server/executors/executor.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { input, multipart, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;
type Headers = User['headers'];

const TABLE = {
  RangeType: 'RangeWithColumnHeaders' as const,
  ColumnHeaderValues: ['Item', 'Count'],
  CellUsages: ['Text' as const, 'Number' as const],
};
const sourceDefinition: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  outputs: [
    output('Total'),
    output('Rows', { ...TABLE, RowsVariable: true }),
    output('Report', { CellUsages: ['FilePath'] }),
  ],
};
const WIDE = {
  ...TABLE,
  Specifications: ['Required' as const, 'Required' as const],
  Blanks: [true, true],
  Pickers: [0, 1].map(() => ({ Type: 'None' as const, PreventOtherValues: false })),
  MaxSize: [null, null],
  Width: 2,
  RowsVariable: true,
};
const targetDefinition: ActivityDefinition = {
  ...EMPTY_DEFINITION,
  inputs: [
    input('Amount'),
    input('Lines', WIDE, [null, null]),
    input('Papers', { CellUsages: ['FilePath'], Blanks: [true] }),
    input('Guarded', { AllowDefaultValue: true }, [null], 'sk.PurgeRuns'),
  ],
};

let app: TestApp;
let editor: User;
let owner: User;
let other: User;
let sourceOnly: User;
let sourceId: number;
let targetId: number;
let outputs: Record<string, number>;
let inputs: Record<string, number>;
let runId: number;
let linkId: number;

const idsOf = async (ActivityId: number): Promise<Record<string, number>> => {
  const rows = await app.database.knex('ActivityParameters').where({ ActivityId }).select('Id', 'Name');
  return Object.fromEntries(rows.map(({ Id, Name }) => [Name, Id]));
};

/** A run that has ended, with a total, three rows and a file. */
async function finishedRun(UserId: number, Status = 'Succeeded'): Promise<number> {
  const { knex } = app.database;
  const Id = await insertRun(knex, { ActivityId: sourceId, UserId, Status });
  const { key, contentLength, sha256 } = await app.fileStore.put(Buffer.from('report'));
  const FileId = `report-of-run-${Id}`;
  await knex('StoredFiles').insert({
    FileId,
    StoreKey: key,
    FileName: 'report.txt',
    ContentLength: contentLength,
    Sha256: sha256,
    Purpose: 'output',
  });
  const rows = [
    ['bolt', 3],
    ['nut', 5],
    ['cog', 8],
  ];
  await knex('RunOutputs').insert([
    { ActivityRunId: Id, ActivityParameterId: outputs['Total'], Value: '16' },
    { ActivityRunId: Id, ActivityParameterId: outputs['Rows'], Value: JSON.stringify(rows), Rows: 3 },
    { ActivityRunId: Id, ActivityParameterId: outputs['Report'], FileId, FileName: 'report.txt', ContentLength: 6 },
  ]);
  return Id;
}

beforeAll(async () => {
  app = await testApp();
  const { knex } = app.database;
  editor = await signedInUser(app, ['sk.EditActivity', 'sk.RunActivity', 'sk.ViewRuns']);
  sourceId = await insertActivity(knex, { UserId: editor.UserId, Name: 'Plan', definition: sourceDefinition });
  targetId = await insertActivity(knex, { UserId: editor.UserId, Name: 'Order', definition: targetDefinition });
  owner = await signedInUser(app, ['sk.RunActivity']);
  other = await signedInUser(app, ['sk.RunActivity']);
  sourceOnly = await signedInUser(app, [{ right: 'sk.RunActivity', Id: sourceId }]);
  outputs = await idsOf(sourceId);
  inputs = await idsOf(targetId);
  runId = await finishedRun(owner.UserId);
  linkId = (await write()).body.result.Id;
});
afterAll(() => app.close());

async function send(method: 'GET' | 'POST', url: string, headers: Headers, payload?: object) {
  const answer = await app.http.inject({ method, url: `/api/activities/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}
const get = (url: string, { headers }: User = owner) => send('GET', url, headers);
const post = (url: string, payload: object, { headers }: User = owner) => send('POST', url, headers, payload);

const mapping = (source: string, target: string, ReadOnly: boolean[]) => ({
  source: outputs[source]!,
  target: inputs[target]!,
  ReadOnly,
});
const LOCKED = () => [
  mapping('Total', 'Amount', [true]),
  mapping('Rows', 'Lines', [true, false]),
  mapping('Report', 'Papers', [true]),
  mapping('Total', 'Guarded', [false]),
];
const write = (more: Record<string, unknown> = {}, user: User = editor) => {
  const LinkInfo = JSON.stringify(LOCKED());
  return post(
    'writelink',
    { Id: 0, ActivityId: sourceId, LinkedActivityId: targetId, Name: 'To order', LinkInfo, ...more },
    user,
  );
};
const startLink = (more: Record<string, unknown> = {}, user: User = owner) =>
  post('startlink', { ActivityLinkId: linkId, ActivityRunId: runId, OutputTransforms: [], Inputs: [], ...more }, user);
const storedInputs = async (ActivityRunId: number): Promise<Record<string, unknown>> => {
  const rows = await app.database.knex('RunInputs').where({ ActivityRunId });
  const nameOf = (id: number) => Object.entries(inputs).find(([, known]) => known === id)![0];
  return Object.fromEntries(
    rows.map((row) => [nameOf(row.ActivityParameterId), row.FileName ?? JSON.parse(row.Value)]),
  );
};

describe('a link', () => {
  test.each([
    [{ Name: ' ' }, 'Linkage name must be provided.'],
    [{ Name: 'x'.repeat(61) }, 'Linkage name must not exceed 60 characters.'],
    [{ LinkInfo: '{"source":1}' }, 'LinkInfo must be a list of source, target and ReadOnly'],
  ])('with %o is refused', async (more, message) => {
    const { status, body } = await write(more);
    expect([status, body.message]).toEqual([400, message]);
  });

  test('between an output and an input of different types is refused, and so is an unknown one', async () => {
    const refuse = async (one: object, ...others: object[]) =>
      (await write({ LinkInfo: JSON.stringify([one, ...others]) })).body.message;
    expect(await refuse(mapping('Rows', 'Amount', [true]))).toBe(
      "'Rows' cannot become 'Amount': they are of different types",
    );
    expect(await refuse({ ...mapping('Total', 'Amount', [true]), source: inputs['Amount'] })).toBe(
      'The activity has no such output',
    );
    expect(await refuse({ ...mapping('Total', 'Amount', [true]), target: outputs['Total'] })).toBe(
      'The linked activity has no such input',
    );
    expect(await refuse(mapping('Rows', 'Lines', [true]))).toBe(
      "ReadOnly of 'Lines' must speak of each of its columns",
    );
    const amount = mapping('Total', 'Amount', [true]);
    expect(await refuse(amount, amount)).toBe('An input can take one output only');
  });

  test('is made, changed and deleted by those who may edit the activity, and by nobody else', async () => {
    expect((await write({}, owner)).status).toBe(403);
    const made = await write({ Name: ' Passing ' });
    const Id: number = made.body.result.Id;
    expect((await get(`linkdetails/${Id}`, editor)).body.result).toMatchObject({ Id, Name: 'Passing', LastRun: null });
    expect((await get(`linkdetails/${Id}`, owner)).status).toBe(403);
    await write({ Id, Name: 'Renamed', LinkInfo: '[]' });
    const details = (await get(`details/${sourceId}`, editor)).body.result;
    expect(details.ActivityLinks).toContainEqual(expect.objectContaining({ Id, Name: 'Renamed', LinkInfo: '[]' }));
    expect((await write({ Id, LinkedActivityId: sourceId, LinkInfo: '[]' })).status).toBe(400);
    const gone = {
      Id,
      ActivityId: sourceId,
      LinkedActivityId: targetId,
      LinkInfo: '[]',
      LinkedActivityName: 'Order',
      Name: 'Renamed',
    };
    expect((await post('deletelink', gone, owner)).status).toBe(403);
    expect((await post('deletelink', gone, editor)).status).toBe(200);
    expect((await get(`linkdetails/${Id}`, editor)).status).toBe(404);
  });

  test('leads nowhere for a person who may not run the activity it leads to', async () => {
    const own = await finishedRun(sourceOnly.UserId);
    expect((await get(`status/${own}`, sourceOnly)).body.result.ActivityLinks).toEqual([]);
    expect((await get(`linkedActivityDetails/${linkId}`, sourceOnly)).status).toBe(404);
    expect((await startLink({ ActivityRunId: own }, sourceOnly)).status).toBe(404);
  });
});

describe('the form of a linked run', () => {
  test('says what may not be changed, also where a person has no right to an input', async () => {
    const { Activity, Link } = (await get(`linkedActivityDetails/${linkId}`)).body.result;
    expect(Link).toMatchObject({ Id: linkId, LinkedActivityName: 'Order' });
    const said = Activity.Inputs.map((one: { Name: string; ReadOnly?: boolean[]; HasAccess: boolean }) => [
      one.Name,
      one.ReadOnly,
      one.HasAccess,
    ]);
    expect(said).toEqual([
      ['Amount', [true], true],
      ['Lines', [true, false], true],
      ['Papers', [true], true],
      ['Guarded', [true], true],
    ]);
  });

  test('is told of by its link alone: one of another activity, or another person’s run, is refused', async () => {
    const body = { ActivityId: targetId, ActivityVersion: 1, UniqueId: null, Inputs: [], LinkId: linkId };
    expect((await post('updateui', body)).status).toBe(200);
    expect((await post('updateui', { ...body, ActivityRunId: runId })).status).toBe(200);
    expect((await post('updateui', { ...body, ActivityRunId: runId }, other)).status).toBe(404);
    expect((await post('updateui', { ...body, ActivityId: sourceId })).status).toBe(404);
    const picked = await post(`picker/${sourceId}/${inputs['Amount']}/0`, { LinkId: linkId });
    expect(picked.status).toBe(404);
  });

  test('uploads for inputs of the linked activity alone', async () => {
    const upload = (LinkId: string) => {
      const { headers, payload } = multipart({ ActivityInputId: String(inputs['Papers']), LinkId }, [
        { name: 'a.txt', content: 'a' },
      ]);
      const url = '/api/files/upload';
      return app.http.inject({ method: 'POST', url, headers: { ...headers, ...owner.headers }, payload });
    };
    expect((await upload(String(linkId))).statusCode).toBe(200);
    const back = await write({ ActivityId: targetId, LinkedActivityId: sourceId, LinkInfo: '[]' });
    expect((await upload(String(back.body.result.Id))).statusCode).toBe(404);
    expect((await upload('x')).statusCode).toBe(400);
  });
});

describe('a linked start', () => {
  test('takes what the run gave, its chosen rows and its files, and remembers where from', async () => {
    const OutputTransforms = [{ ActivityParameterId: outputs['Rows'], FilteredRowIndices: [2, 0] }];
    const { status, body } = await startLink({ OutputTransforms });
    expect(status).toBe(200);
    const { Id } = body.result;
    expect(await storedInputs(Id)).toEqual({
      Amount: 16,
      Lines: [
        ['cog', 8],
        ['bolt', 3],
      ],
      Papers: 'report.txt',
      Guarded: 16,
    });
    expect((await get(`status/${Id}`)).body.result).toMatchObject({ SourceRunId: runId, ActivityId: targetId });
    const [shown] = (await get(`status/${runId}`)).body.result.ActivityLinks;
    expect(shown).toMatchObject({ Id: linkId, LastRun: { Id } });
    const history = { ActivityId: targetId, LinkId: linkId, ApproxRows: 5, PrevRunId: null };
    const { LinkName, Runs } = (await post('runhistory', history)).body.result;
    expect([LinkName, Runs.map((run: { Id: number }) => run.Id)]).toEqual(['To order', [Id]]);
    expect((await post('runhistory', { ...history, ActivityId: sourceId })).status).toBe(404);
  });

  test('keeps locked cells as the run gave them, whatever is sent', async () => {
    const Inputs = [
      { ActivityParameterId: inputs['Amount'], Value: '999' },
      { ActivityParameterId: inputs['Guarded'], Value: '999' },
      {
        ActivityParameterId: inputs['Lines'],
        Value: JSON.stringify([
          ['stolen', 30],
          ['x', 50],
          ['y', 80],
        ]),
      },
    ];
    const { Id } = (await startLink({ Inputs })).body.result;
    expect(await storedInputs(Id)).toMatchObject({
      Amount: 16,
      Guarded: 16,
      Lines: [
        ['bolt', 30],
        ['nut', 50],
        ['cog', 80],
      ],
    });
  });

  test('refuses rows added beside locked columns', async () => {
    const Inputs = [{ ActivityParameterId: inputs['Lines'], Value: '[["a",1],["b",2],["c",3],["d",4]]' }];
    const { status, body } = await startLink({ Inputs });
    expect([status, body.modelState]).toEqual([400, { Lines: ['Rows can neither be added nor removed'] }]);
  });

  test('takes no run of another person, of another activity, or one that goes on', async () => {
    expect((await startLink({}, other)).status).toBe(404);
    const elsewhere = await insertRun(app.database.knex, {
      ActivityId: targetId,
      UserId: owner.UserId,
      Status: 'Failed',
    });
    expect((await startLink({ ActivityRunId: elsewhere })).status).toBe(404);
    const running = await finishedRun(owner.UserId, 'Started');
    expect((await startLink({ ActivityRunId: running })).status).toBe(409);
    const ownOfOther = await finishedRun(other.UserId);
    expect((await startLink({ ActivityRunId: ownOfOther }, other)).status).toBe(200);
    expect((await get(`status/${ownOfOther}`)).status).toBe(404);
  });

  test('takes no file of another person’s run', async () => {
    await write({ Id: linkId, LinkInfo: JSON.stringify([{ ...mapping('Report', 'Papers', [false]) }]) });
    const theirs = await finishedRun(other.UserId);
    const FileId = `report-of-run-${theirs}`;
    const Inputs = [
      { ActivityParameterId: inputs['Amount'], Value: '1' },
      { ActivityParameterId: inputs['Papers'], ArrayIndex: 0, FileId, FileName: 'report.txt' },
    ];
    const { status, body } = await startLink({ Inputs });
    await write({ Id: linkId });
    expect([status, body.modelState]).toEqual([400, { Papers: ['Please choose a file'] }]);
  });

  test('is refused, and does not wait, while the activity prevents simultaneous runs and one is pending', async () => {
    const { knex } = app.database;
    const single = await insertActivity(knex, { UserId: editor.UserId, SingleRun: true });
    const body = (await write({ LinkedActivityId: single, LinkInfo: '[]' })).body;
    const start = () => startLink({ ActivityLinkId: body.result.Id });
    expect((await start()).status).toBe(200);
    const refused = await start();
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The activity is already running and cannot be run now.',
    ]);
    expect(await knex('ActivityRuns').where('ActivityId', single)).toHaveLength(1);
  });

  test('that was answered is one run however often it is sent, also where simultaneous runs are prevented', async () => {
    const { knex } = app.database;
    for (const SingleRun of [false, true]) {
      const ActivityId = await insertActivity(knex, { UserId: editor.UserId, SingleRun });
      const link = (await write({ LinkedActivityId: ActivityId, LinkInfo: '[]' })).body.result;
      const start = (UniqueId: string) => startLink({ ActivityLinkId: link.Id, UniqueId });
      const first = await start(`once-${SingleRun}`);
      expect(first.status).toBe(200);
      expect((await start(`once-${SingleRun}`)).body).toEqual(first.body);
      expect((await start(`twice-${SingleRun}`)).status).toBe(SingleRun ? 409 : 200);
      expect(await knex('ActivityRuns').where('ActivityId', ActivityId)).toHaveLength(SingleRun ? 1 : 2);
    }
  });

  test('says which value a failed run does not have', async () => {
    const failed = await insertRun(app.database.knex, { ActivityId: sourceId, UserId: owner.UserId, Status: 'Failed' });
    const { status, body } = await startLink({ ActivityRunId: failed });
    expect(status).toBe(400);
    expect(body.modelState).toMatchObject({ Amount: ['The run has no value for it'] });
  });
});
