/**
 * An activity whose outputs are linked to another activity, users with more and fewer rights on them, and a finished
 * run.
 */
import { afterAll, beforeAll } from 'vitest';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { testApp, type TestApp } from './app.ts';
import { input, output } from './portal.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun, insertVersionFile } from './runs.ts';
import { signedInUser } from './users.ts';

export type User = Awaited<ReturnType<typeof signedInUser>>;
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

/** Registers its setup and teardown. */
export function linkedActivities() {
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

  /** Inserts a finished run with a total, three rows and a file. */
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
    const FileId = await insertVersionFile(knex, 'workbook-of-order');
    targetId = await insertActivity(knex, {
      UserId: editor.UserId,
      Name: 'Order',
      definition: targetDefinition,
      FileId,
    });
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
    post(
      'startlink',
      { ActivityLinkId: linkId, ActivityRunId: runId, OutputTransforms: [], Inputs: [], ...more },
      user,
    );
  const storedInputs = async (ActivityRunId: number): Promise<Record<string, unknown>> => {
    const rows = await app.database.knex('RunInputs').where({ ActivityRunId });
    const nameOf = (id: number) => Object.entries(inputs).find(([, known]) => known === id)![0];
    return Object.fromEntries(
      rows.map((row) => [nameOf(row.ActivityParameterId), row.FileName ?? JSON.parse(row.Value)]),
    );
  };

  return {
    get app() {
      return app;
    },
    get editor() {
      return editor;
    },
    get owner() {
      return owner;
    },
    get other() {
      return other;
    },
    get sourceOnly() {
      return sourceOnly;
    },
    get sourceId() {
      return sourceId;
    },
    get targetId() {
      return targetId;
    },
    get outputs() {
      return outputs;
    },
    get inputs() {
      return inputs;
    },
    get runId() {
      return runId;
    },
    get linkId() {
      return linkId;
    },
    finishedRun,
    send,
    get,
    post,
    mapping,
    LOCKED,
    write,
    startLink,
    storedInputs,
  };
}
