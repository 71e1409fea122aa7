/** A portal with data of every kind, for calls that try to break it. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { RIGHT_NAMES } from '#shared/contract/rights.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { buildWorkbook, type CellSpec } from '#test/support/build-workbook.ts';
import { testDatabase } from '#test/support/database.ts';
import { multipart } from '#test/support/portal.ts';
import { insertRun } from '#test/support/runs.ts';
import { bearer, createUser, grant, signIn, type TestUser } from '#test/support/users.ts';
import type { UploadParts } from './generate-calls.ts';
import type { KnownValues } from './values-of-schema.ts';

export interface PortalUnderFire {
  app: TestApp;
  user: TestUser;
  admin: TestUser;
  /** Returns the last logged error, which explains a response of 500. */
  lastError(): string;
  /** Creates a user, a role and runs for the calls of a route, and returns values that the route accepts. */
  prepare(path: string): Promise<{ known: KnownValues; upload: UploadParts }>;
  headersOf(caller: TestUser): Promise<Record<string, string>>;
  close(): Promise<void>;
}

const INPUTS: [name: string, range: string, usage: string, picker: string, source: string][] = [
  ['Country', 'S!B1', 'Text', 'List', 'S!D1:D3'],
  ['Amount', 'S!B2', 'Number', '', ''],
  ['Day', 'S!B3', 'Date', '', ''],
  ['Customer', 'S!B4', 'Text', 'Database', '*Shop: select name from customers'],
  ['Filter', 'S!B5', 'Condition', 'Condition', 'Sales'],
  ['File', 'S!B6', 'FileId', '', ''],
  ['Grid', 'S!F1:G4', 'Text,Number', '', ''],
];

/** Inputs of every kind, with pickers of every kind. */
function workbook(): Promise<Buffer> {
  const columns = ['Name', 'Range', 'CellUsages', 'Picker', 'PickerSource'];
  const cells: Record<string, CellSpec> = {};
  for (const [y, row] of [columns, ...INPUTS].entries()) {
    for (const [x, cell] of row.entries()) if (cell !== '') cells[`${'ABCDE'[x]}${y + 1}`] = cell;
  }
  const portal = { name: 'PortalInputs', ref: `A1:E${INPUTS.length + 1}`, columns };
  return buildWorkbook({
    sheets: [
      {
        name: 'S',
        cells: { A1: { formula: 'B2*2', value: 0 }, D1: 'AT', D2: 'CH', D3: 'DE', F1: 'What', G1: 'How many' },
      },
      { name: 'Portal', cells, tables: [portal] },
      {
        name: 'Sales',
        cells: { A1: 'Region', B1: 'Amount', A2: 'North', B2: 12, A3: 'South', B3: 5 },
        tables: [{ name: 'Sales', ref: 'A1:B3', columns: ['Region', 'Amount'] }],
      },
    ],
    names: { out_Total: 'S!$A$1' },
  });
}

export async function portalUnderFire(): Promise<PortalUnderFire> {
  let lastError = '';
  const log = pino(
    { level: 'error' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lastError = chunk.toString();
        done();
      },
    }),
  );
  const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
  const shop = await testDatabase({ migrated: false, isPostgres: true });
  await shop.knex.raw("create table customers as select 'Customer ' || n as name from generate_series(1, 50) n");
  const app = await testApp({ executor, log, settings: { connections: { Shop: { url: shop.url } } } });
  return {
    ...(await furnish(app)),
    app,
    lastError: () => lastError,
    close: async () => {
      await app.close();
      await executor.close();
      await shop.drop();
    },
  };
}

async function furnish(app: TestApp): Promise<Pick<PortalUnderFire, 'user' | 'admin' | 'prepare' | 'headersOf'>> {
  const { knex } = app.database;
  await knex('Schemas').insert({ Name: 'Shop', DisplayName: 'Shop', Order: 1 });
  const user = await createUser(app, { userName: 'ordinary', rights: ['sk.RunActivity'] });
  const admin = await createUser(app, { userName: 'admin', isUserAdmin: true });
  const headersOf = async (caller: TestUser) => {
    await knex('Users')
      .where({ UserId: caller.UserId })
      .update({ Enabled: true, IsUserAdmin: caller === admin });
    return bearer(await signIn(app, caller));
  };
  const file = { name: 'Book.xlsx', content: await workbook() };
  const activity = await publish(app, await headersOf(admin), file);

  let made = 0;
  async function prepare(path: string) {
    made += 1;
    const victim = await createUser(app, { userName: `victim${made}` });
    await grant(app, victim.UserId, { right: 'sk.RunActivity', Schema: 'Shop' });
    await knex('Roles').insert({ Name: `Role ${made}`, IsActive: true });
    const runs = [];
    for (const { UserId } of [user, admin]) {
      for (const Status of ['Queued', 'Succeeded', 'Failed']) {
        const EndTime = Status === 'Queued' ? null : knex.fn.now();
        runs.push(await insertRun(knex, { ActivityId: activity.Id, UserId, Status, EndTime }));
      }
    }
    const inputs = activity.Inputs.map(({ Id }) => Id);
    const idsByPath = [
      [/\/users/, [victim.UserId]],
      [/status|errorreport|retry|cancel|wakeup/, runs],
      [/sample|presetvals/, inputs],
    ] as const;
    const ids = idsByPath.find(([pattern]) => pattern.test(path))?.[1] ?? [activity.Id];
    const known: KnownValues = {
      id: ids,
      activityid: [activity.Id],
      activityversion: [1],
      version: [1],
      from: [1],
      to: [1],
      runid: runs,
      activityrunid: runs,
      prevrunid: runs,
      userid: [victim.UserId],
      inputid: inputs,
      activityinputid: inputs,
      parameterid: [...inputs, ...activity.Outputs.map(({ Id }) => Id)],
      activityparameterid: inputs,
      username: [victim.UserName],
      name: path.includes('/roles') ? [`Role ${made}`] : [...RIGHT_NAMES],
      rolename: [`Role ${made}`],
      rightname: [...RIGHT_NAMES],
      keycolumn: ['Schema', 'Id', 'Name'],
      keycolumnname: ['Schema', 'Id', ''],
      value: [
        'Shop',
        String(activity.Id),
        '"AT"',
        '12',
        '45000',
        '"Region = \'North\'"',
        '[["a",1],["b",2]]',
        '[["a","b"]]',
      ],
      columnname: ['Region', 'Amount'],
      schema: ['Shop', '{"ScheduleType":"Daily","TimeOfDay":0.25,"RetryInterval":5,"RetryCount":2}'],
      schedule: ['{"ScheduleType":"Daily","TimeOfDay":0.25,"RetryInterval":5,"RetryCount":2}'],
      presetvalue: ['"AT"', '12'],
      grant_type: ['password'],
      kind: ['saml2', 'oidc'],
    };
    const fields = {
      Id: path.includes('create') ? '0' : String(activity.Id),
      ActivityInputId: String(activity.Inputs.find(({ Name }) => Name === 'File')!.Id),
      ...(path.includes('create')
        ? { Schema: 'Shop', Name: `Uploaded ${made}`, ChangeDescription: '', SingleRun: 'false', Order: '1' }
        : { LinkId: '' }),
    };
    const files = [
      file,
      { name: 'a.txt', content: Buffer.from('text') },
      { name: 'b.xlsx', content: Buffer.from('PK\u0003\u0004') },
    ];
    return { known, upload: { fields, files } };
  }
  return { user, admin, prepare, headersOf };
}

async function publish(
  app: TestApp,
  headers: Record<string, string>,
  file: { name: string; content: Buffer },
): Promise<Activity> {
  const fields = { Id: '0', Schema: 'Shop', Name: 'Under fire', ChangeDescription: '' };
  const form = multipart(fields, [file]);
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/activities/create',
    headers: { ...form.headers, ...headers },
    payload: form.payload,
  });
  if (answer.statusCode !== 200) throw new Error(`the workbook is refused: ${answer.body}`);
  const { Id } = answer.json<{ Id: number }>();
  const details = await app.http.inject({ url: `/api/activities/details/${Id}`, headers });
  return details.json<{ result: Activity }>().result;
}
