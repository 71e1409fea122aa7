/** Tests who may create activities from procedures, and what happens to the activities when the procedure changes. */
import { describe, expect } from 'vitest';
import { withProcedurePortal } from '#test/support/fixtures/procedure-portal.ts';
import { activityFields, settingsOf } from '#test/support/procedure-portal.ts';
import { isOtherMakersServer } from '#test/support/sql-server.ts';
import { signedInUser } from '#test/support/users.ts';
import { TRIAL_WARNING } from '#shared/contract/procedures.ts';

const SQL = {
  pg: [
    'create table kept (n int)',
    'create procedure drifts(a int) language plpgsql as $$ begin insert into kept values (a); end $$',
    `create function hidden_rows(n int) returns setof refcursor language plpgsql as $$ declare c refcursor := 'c'; begin
      insert into kept values (n); open c for select 1 as id, 'x' as label; return next c; end $$`,
    'create procedure variadic_one(variadic a int[]) language plpgsql as $$ begin null; end $$',
    'create type named_file as (name text, content bytea)',
    'create procedure files_in_rows(files named_file[]) language plpgsql as $$ begin null; end $$',
  ],
  mssql: [
    'create table kept (n int)',
    'create procedure drifts @a int as insert into kept values (@a)',
    `create procedure hidden_rows @n int as begin insert into kept values (@n); create table #t (id int, label nvarchar(10)); insert into #t values (1, 'x');
      select id, label from #t end`,
    'create procedure variadic_one @a sql_variant as return 0',
    'create type named_file as table (name nvarchar(100), content varbinary(max))',
    'create procedure files_in_rows @files named_file readonly as return 0',
  ],
};
const CHANGED = {
  pg: [
    'drop procedure drifts',
    'create procedure drifts(a int, inout b int default 5) language plpgsql as $$ begin insert into kept values (b); end $$',
  ],
  mssql: ['alter procedure drifts @a int, @b int = 5 as insert into kept values (@b)'],
};

const it = withProcedurePortal(SQL).extend(
  'create',
  { scope: 'file' },
  ({ portal }) =>
    async (fields: object, headers?: { authorization: string }) =>
      portal.post('createStoredProcedureActivity', { ...activityFields('New'), ...fields }, headers),
);

describe('creating an activity of a procedure', () => {
  it('asks for the procedure after name and order, in the words of the specification', async ({ portal, create }) => {
    const named = { ProcedureName: await portal.nameOf('drifts') };
    expect((await create({ ...named, Name: 'a/b' })).body).toMatchObject({
      message: 'Please correct the errors shown above',
    });
    expect((await create({ Order: 'first' })).body).toMatchObject({ message: 'Order must be a number' });
    for (const ProcedureName of [undefined, null, ''])
      expect((await create({ ProcedureName })).body).toMatchObject({ message: 'Select stored procedure' });
    expect((await create({ ProcedureName: 'Shop: nowhere.nothing' })).status).toBe(404);
    expect((await create({ ProcedureName: 'Elsewhere: public.drifts' })).status).toBe(404);
  });

  it('needs sk.CreateActivity for the schema and sk.UseConnection for the connection', async ({ portal, create }) => {
    const { app } = portal;
    const named = { ProcedureName: await portal.nameOf('drifts') };
    const noConnection = await signedInUser(app, ['sk.CreateActivity', 'sk.EditActivity']);
    expect((await create(named, noConnection.headers)).status).toBe(403);
    expect((await portal.get('procedures', noConnection.headers)).status).toBe(403);
    const elsewhere = await signedInUser(app, ['sk.UseConnection', { right: 'sk.CreateActivity', Schema: 'Other' }]);
    expect((await create(named, elsewhere.headers)).body.message).toBe('You may not create activities in this schema');
    const runsOnly = await signedInUser(app, ['sk.UseConnection', 'sk.RunActivity']);
    expect((await portal.get('procedures', runsOnly.headers)).status).toBe(403);
    expect((await portal.post('procedures/describe', named, runsOnly.headers)).status).toBe(403);
    expect(
      (await portal.post('procedures/trial', { ...named, Values: [], Confirmed: true }, runsOnly.headers)).status,
    ).toBe(403);
  });

  it('lets a run of somebody without sk.UseConnection end before anything is called', async ({ portal }) => {
    const activity = await portal.create('drifts');
    const { headers } = await signedInUser(portal.app, ['sk.RunActivity']);
    const run = await portal.run(activity, { a: 990 }, headers);
    expect(run).toMatchObject({ Status: 'LogicError', log: ["You may not use the connection 'Shop'"] });
    expect(await portal.shop.knex('kept').where({ n: 990 })).toEqual([]);
  });

  it('takes names with quotes and brackets as they are', async ({ portal, create }) => {
    // See NAMES_IN_BRACKETS: a compatible server of another vendor accepts fewer characters within brackets.
    const name = (await isOtherMakersServer(portal.shop.knex)) ? `[odd name]` : `[odd "name]]' --]`;
    await portal.make({
      pg: [`create procedure "odd ""name]' --"(a int) language plpgsql as $$ begin null; end $$`],
      mssql: [`create procedure ${name} @a int as return 0`],
    });
    const { body } = await portal.get('procedures');
    const odd = (body.result.Items as { ProcedureName: string }[]).find(({ ProcedureName }) =>
      ProcedureName.includes('odd'),
    )!;
    const created = await create({
      ...odd,
      Name: 'Odd',
      ConnectionName: undefined,
      Kind: undefined,
      Refusals: undefined,
    });
    expect(created.body.message ?? '').toBe('');
    const { Id } = created.body.result;
    const activity = await portal.details(Id);
    expect(activity.ProcedureName).toBe(odd.ProcedureName);
    expect((await portal.run(activity, { a: 1 })).Status).toBe('Succeeded');
  });

  it('refuses by name what cannot be called', async ({ portal, create }) => {
    const named = { ProcedureName: await portal.nameOf('variadic_one') };
    const described = (await portal.post('procedures/describe', named)).body.result;
    expect(described.Refusals.join()).toContain('a');
    const answer = await create(named);
    expect(answer.status).toBe(422);
    expect(answer.body.modelState.Procedure).toEqual(described.Refusals);
  });

  it('lists what cannot be called with the reason, beside what can', async ({ portal }) => {
    const { Items } = (await portal.get('procedures')).body.result;
    const named = async (name: string) => {
      const ProcedureName = await portal.nameOf(name);
      return Items.find((item: { ProcedureName: string }) => item.ProcedureName === ProcedureName).Refusals;
    };
    expect(await named('drifts')).toEqual([]);
    expect(await named('hidden_rows')).toEqual([]);
    expect(await named('variadic_one')).toEqual((await portal.describe('variadic_one')).Refusals);
    expect((await named('variadic_one')).join()).toContain('a');
    expect(await named('files_in_rows')).toEqual((await portal.describe('files_in_rows')).Refusals);
    expect((await named('files_in_rows')).join()).toContain(`The column content of 'files' cannot be filled in`);
  });

  it('refuses settings that do not fit, each by its parameter', async ({ portal, create }) => {
    const { ProcedureName, Settings } = await portal.describe('drifts');
    const a = settingsOf(Settings, 'a');
    const problems = async (settings: object): Promise<string[]> =>
      (await create({ ProcedureName, Procedure: { ...Settings, ...settings } })).body.modelState.Procedure;
    expect(await problems({ Parameters: [{ ...a, MayBeLeftOut: true }] })).toEqual([
      "'a' has no default, so it cannot be left out",
    ]);
    expect(await problems({ Parameters: [a, { ...a, Name: 'z' }] })).toEqual(["The procedure has no parameter 'z'"]);
    expect(await problems({ Parameters: [{ ...a, Pickers: [{ Type: 'List', PreventOtherValues: true }] }] })).toEqual([
      "The picker of 'a' has no items",
    ]);
  });

  it('takes no workbook later', async ({ portal }) => {
    const activity = await portal.create('drifts');
    const { headers } = portal.editor;
    const form = new FormData();
    form.append('Id', String(activity.Id));
    form.append('ChangeDescription', 'a file');
    form.append('file', new Blob(['x']), 'a.xlsx');
    const answer = await portal.app.http.inject({
      method: 'POST',
      url: '/api/activities/create',
      headers,
      payload: form,
    });
    expect(answer.json()).toMatchObject({
      Message: 'The activity runs a stored procedure and does not accept a workbook',
    });
  });
});

describe('a procedure that changes', () => {
  it('is reported on the edit page, refuses runs before the call, and runs again after an update', async ({
    portal,
  }) => {
    const made = await portal.create('drifts');
    const state = async () => (await portal.get(`procedures/state/${made.Id}`)).body.result;
    expect(await state()).toMatchObject({ Version: 1, Changes: [], RunsRefused: false, Message: '' });
    await portal.make(CHANGED);
    const refused = await portal.run(made, { a: 991 });
    expect(refused).toMatchObject({ Status: 'LogicError', log: ['The procedure has changed since version 1'] });
    expect(await portal.shop.knex('kept').where({ n: 991 })).toEqual([]);
    const changed = await state();
    expect(changed.RunsRefused).toBe(true);
    // On PostgreSQL, the argument types are part of the name.
    expect(changed.Changes).toContain(`The parameter 'b' (${portal.isPg ? 'integer' : 'int'}) was added`);
    const updated = await portal.post('procedures/update', { Id: made.Id });
    expect(updated.body.result).toEqual({ Id: made.Id, Version: 2 });
    const now = await portal.details(made.Id);
    expect(now.Inputs.map(({ Name }) => Name)).toEqual(['a', 'b']);
    expect(now.ProcedureName).toBe(await portal.nameOf('drifts'));
    expect((await portal.run(now, { a: 992 })).Status).toBe('Succeeded');
    expect(await state()).toMatchObject({ Version: 2, Changes: [], RunsRefused: false });
  });

  it('only in its text keeps it running, and is reported', async ({ portal }) => {
    await portal.make({
      pg: ['create procedure retold(a int) language plpgsql as $$ begin insert into kept values (a); end $$'],
      mssql: ['create procedure retold @a int as insert into kept values (@a)'],
    });
    const made = await portal.create('retold');
    await portal.make({
      pg: [
        'create or replace procedure retold(a int) language plpgsql as $$ begin insert into kept values (a + 1); end $$',
      ],
      mssql: ['alter procedure retold @a int as insert into kept values (@a + 1)'],
    });
    expect((await portal.run(made, { a: 800 })).Status).toBe('Succeeded');
    expect(await portal.shop.knex('kept').where({ n: 801 })).toHaveLength(1);
    const state = (await portal.get(`procedures/state/${made.Id}`)).body.result;
    expect(state).toMatchObject({ Changes: ['Its text has changed'], RunsRefused: false });
    const { Version } = (await portal.post('procedures/update', { Id: made.Id })).body.result;
    const changes = (await portal.get(`versionchanges/${made.Id}/1/${Version}`)).body.result;
    expect(changes.Workbook).toBeNull();
    expect(changes.Procedure).toHaveLength(1);
    expect(changes.Procedure[0].Fields.map(({ Field }: { Field: string }) => Field)).toEqual(['Text']);
  });
});

describe('the versions of an activity of a procedure', () => {
  it('come with other settings, not with other fields, and one can be gone back to', async ({ portal }) => {
    const made = await portal.create('retold');
    const { Id } = made;
    expect((await portal.post('update', { ...made, Description: 'told' })).body.result).toEqual({ Id });
    expect(await portal.details(Id)).toMatchObject({ Version: 1, Description: 'told' });
    const Procedure = structuredClone(made.Procedure!);
    settingsOf(Procedure, 'a').DisplayName = 'Amount';
    await portal.post('update', { ...made, Revision: null, Procedure, ChangeDescription: 'named' });
    const second = await portal.details(Id);
    expect(second).toMatchObject({ Version: 2, Inputs: [{ Name: 'Amount' }] });
    const { Versions } = (await portal.get(`versions/${Id}`)).body.result;
    expect(Versions.map(({ ChangeDescription }: { ChangeDescription: string }) => ChangeDescription)).toEqual([
      'named',
      '',
    ]);
    const changes = (await portal.get(`versionchanges/${Id}/1/2`)).body.result;
    expect(changes.Inputs.map(({ Name }: { Name: string }) => Name)).toEqual(['Amount', 'a']);
    expect((await portal.post(`rollback/${Id}`, { Version: 1, ChangeDescription: '' })).body.result).toEqual({
      Version: 3,
    });
    expect(await portal.details(Id)).toMatchObject({ Version: 3, Inputs: [{ Name: 'a' }] });
    // An older version runs if the caller explicitly asks for it; it has no file that could be purged.
    const old = { ActivityId: Id, ActivityVersion: 2, AcceptOutdatedVersion: true };
    const Inputs = [{ ActivityParameterId: second.Inputs[0]!.Id, Value: '810' }];
    const started = await portal.post('start', { ...old, Inputs });
    expect((await portal.ended(started.body.result.Id)).Status).toBe('Succeeded');
  });

  it('do not stand among those of all workbooks', async ({ portal }) => {
    const all = await portal.post('versions/all', {
      ApproxRows: 20,
      Schema: null,
      FetchSchemas: false,
      ModifiedMin: null,
    });
    expect(all.body.result.ListItems.Items).toEqual([]);
  });

  it('are not made by somebody who opened an older state, nor without sk.UseConnection', async ({ portal }) => {
    const made = await portal.create('retold');
    const Procedure = { ...made.Procedure!, ReturnCodeFails: true };
    await portal.post('update', { ...made, Description: 'first' });
    expect((await portal.post('update', { ...made, Procedure })).status).toBe(409);
    const { headers } = await signedInUser(portal.app, ['sk.EditActivity']);
    expect((await portal.post('update', { ...made, Revision: null, Procedure }, headers)).status).toBe(403);
    expect((await portal.post('procedures/update', { Id: made.Id }, headers)).status).toBe(403);
    expect(await portal.details(made.Id)).toMatchObject({ Version: 1 });
  });
});

describe('a trial run', () => {
  it('warns first, learns the columns of results, and is taken back', async ({ portal }) => {
    const ProcedureName = await portal.nameOf('hidden_rows');
    const body = { ProcedureName, Values: [{ Name: 'n', Value: '700', LeftOut: false }] };
    expect((await portal.post('procedures/trial', { ...body, Confirmed: false })).body).toMatchObject({
      message: TRIAL_WARNING,
    });
    const { result } = (await portal.post('procedures/trial', { ...body, Confirmed: true })).body;
    expect(result.Results).toMatchObject([
      {
        Rows: 1,
        Columns: [
          { Name: 'id', CellUsage: 'Number' },
          { Name: 'label', CellUsage: 'Text' },
        ],
      },
    ]);
    expect(await portal.shop.knex('kept').where({ n: 700 })).toEqual([]);
  });

  it('makes what it learns an output; without it the rows come as a file with a warning', async ({ portal }) => {
    const undeclared = await portal.run(await portal.create('hidden_rows', (settings) => (settings.Results = null)), {
      n: 701,
    });
    if (portal.isPg)
      expect(undeclared).toMatchObject({ Status: 'SucceededWarn', body: { StoredFileNames: ['Result1.xlsx'] } });
    const declared = await portal.create('hidden_rows', (settings) => {
      const Columns = [
        { Name: 'id', CellUsage: 'Number' as const },
        { Name: 'label', CellUsage: 'Text' as const },
      ];
      settings.Results = [{ DisplayName: 'Rows', Columns }];
    });
    expect(await portal.run(declared, { n: 702 })).toMatchObject({
      Status: 'Succeeded',
      outputs: { Rows: [[1, 'x']] },
    });
  });
});
