/** Tests inputs for choosing a connection, and the steps that use it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StepQuery, StepServices } from '#server/executors/step-services.ts';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { multipart } from '#test/support/portal.ts';
import { signedInUser } from '#test/support/users.ts';

const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
const never = new AbortController().signal;
let app: TestApp;
let editor: Awaited<ReturnType<typeof signedInUser>>;
let stranger: typeof editor;

beforeAll(async () => {
  const url = 'postgres://nobody@127.0.0.1:9/none';
  app = await testApp({ executor, settings: { connections: { Shop: { url }, Store: { url }, Secret: { url } } } });
  await app.database.knex('Schemas').insert({ Name: 'Shop', DisplayName: 'Shop', Order: 1 });
  editor = await signedInUser(app, ['sk.RunActivity', 'sk.CreateActivity', 'sk.EditActivity']);
  stranger = await signedInUser(app, ['sk.RunActivity']);
  for (const value of ['Shop', 'Store']) {
    const grant = { UserId: editor.UserId, RightName: 'sk.UseConnection', Access: 1 } as const;
    await app.rights.grantToUser(app.database.knex, { ...grant, key: { column: 'Name', value } });
  }
});
afterAll(async () => {
  await app.close();
  await executor.close();
});

const book = (connection = '@Source'): WorkbookSpec => ({
  sheets: [
    {
      name: 'S',
      cells: { A1: 'Code', A2: 'EUR', D1: { formula: 'COUNTA(T[Code])', value: 1 } },
      tables: [{ name: 'T', ref: 'A1:A2', columns: ['Code'] }],
    },
    {
      name: 'Portal',
      cells: {
        A1: 'Name',
        B1: 'CellUsages',
        A2: 'Source',
        B2: 'ConnectionString',
        A4: 'Action',
        B4: 'Connection',
        C4: 'Query',
        D4: 'Table',
        A5: 'Query',
        B5: connection,
        C5: 'select code from rates',
        D5: 'T',
      },
      tables: [
        { name: 'PortalInputs', ref: 'A1:B2', columns: ['Name', 'CellUsages'] },
        { name: 'PortalSteps', ref: 'A4:D5', columns: ['Action', 'Connection', 'Query', 'Table'] },
      ],
    },
  ],
  names: { in_Source: 'S!$F$1', out_Count: 'S!$D$1' },
});

async function publish(): Promise<Activity> {
  const fields = { Id: '0', Schema: 'Shop', Name: 'Chosen connection', ChangeDescription: '' };
  const { headers, payload } = multipart(fields, [{ name: 'Book.xlsx', content: await buildWorkbook(book()) }]);
  const url = '/api/activities/create';
  const answer = await app.http.inject({ method: 'POST', url, headers: { ...headers, ...editor.headers }, payload });
  const { Id, Faults } = answer.json<{ Id: number; Faults?: unknown }>();
  expect(answer.json()).toMatchObject({ Version: 1 });
  expect(Faults).toBeUndefined();
  const details = await app.http.inject({ url: `/api/activities/details/${Id}`, headers: editor.headers });
  return details.json<{ result: Activity }>().result;
}

const post = async (url: string, payload: object, by = editor) => {
  const answer = await app.http.inject({ method: 'POST', url: `/api/activities/${url}`, headers: by.headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};

describe('an input of the usage ConnectionString', () => {
  it('offers each person the connections that they may use, and takes no others', async () => {
    const activity = await publish();
    const [input] = activity.Inputs;
    expect(input!.Info.Pickers).toEqual([{ Type: 'List', PreventOtherValues: true }]);
    const offered = async (by: typeof editor): Promise<string[]> => {
      const { body } = await post(`picker/${activity.Id}/${input!.Id}/0`, { All: true }, by);
      return body.result.Items.map(({ Value }: { Value: string }) => Value);
    };
    expect(await offered(editor)).toEqual(['Shop', 'Store']);
    expect(await offered(stranger)).toEqual([]);
    const start = (name: string, by = editor) => {
      const Inputs = [{ ActivityParameterId: input!.Id, Value: JSON.stringify(name) }];
      return post('start', { ActivityId: activity.Id, ActivityVersion: 1, UniqueId: null, Inputs }, by);
    };
    for (const [name, by] of [
      ['Secret', editor],
      ['postgres://other', editor],
      ['Shop', stranger],
    ] as const) {
      const { status, body } = await start(name, by);
      expect([status, body.modelState]).toEqual([400, { Source: ['Please choose a valid value.'] }]);
    }
    expect((await start('')).body.modelState).toEqual({ Source: ['Value must be provided'] });
    expect((await start('store')).status).toBe(200);
  });

  it('gives its connection to the step that names it', async () => {
    const bytes = await buildWorkbook(book());
    const { definition, problems } = await executor.inspect(
      { fileName: 'B.xlsx', bytes, acceptUnsupported: [] },
      never,
    );
    expect(problems).toEqual([]);
    const asked: StepQuery[] = [];
    const services = {
      query: async function* (query: StepQuery) {
        asked.push(query);
        yield { columns: [{ name: 'code', kind: 'Text' }], rows: [['USD'], ['GBP']] };
      },
    } as unknown as StepServices;
    const run = (value: string | null) =>
      executor.run({
        versionKey: 'chosen connection',
        definition: definition!,
        fileName: 'B.xlsx',
        readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
        inputs: [{ Name: 'Source', value, files: [] }],
        timeLimit: 60_000,
        services,
        signal: never,
        onLog: () => undefined,
        onProgress: () => undefined,
      });
    expect((await run('"Store"')).outputs[0]!.Value).toBe('2');
    expect(asked.map(({ connection }) => connection)).toEqual(['Store']);
    expect((await run(null)).status).toBe('LogicError');
  });

  it('has to be there for a step that names it', async () => {
    const bytes = await buildWorkbook(book('@Sauce'));
    const { problems } = await executor.inspect({ fileName: 'B.xlsx', bytes, acceptUnsupported: [] }, never);
    expect(JSON.stringify(problems)).toContain('There is no input for @Sauce.');
  });
});
