/** Tests numbers of any length, on every path into and out of a procedure. */
import { describe, expect } from 'vitest';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import type { Activity } from '#shared/contract/activities.ts';
import { withProcedurePortal } from '#test/support/fixtures/procedure-portal.ts';
import { sent } from '#test/support/procedure-portal.ts';

// PostgreSQL does not store the precision of parameters: numeric(20,4) is there a number without bounds, like numeric.
// SQL Server has no such numbers.
const SQL = {
  pg: [
    'create table amounts (id int generated always as identity, label text, amount text)',
    `create procedure keeps(label text, amount numeric(20,4), inout same numeric default 0) language plpgsql as
      $$ begin insert into amounts (label, amount) values (label, amount::text); same := amount; end $$`,
    `create procedure keeps_whole(label text, amount int) language plpgsql as $$ begin insert into amounts (label, amount) values (label, amount::text); end $$`,
    `create procedure keeps_float(label text, amount float8, inout same float8 default 0) language plpgsql as
      $$ begin insert into amounts (label, amount) values (label, amount::text); same := amount; end $$`,
    `create type amount_line as (item text, amount numeric)`,
    `create procedure keeps_lines(label text, lines amount_line[], inout same amount_line[] default null) language plpgsql as
      $$ begin insert into amounts (label, amount) select label, l.amount::text from unnest(lines) with ordinality l order by ordinality; same := lines; end $$`,
    `create function amounts_of(label_wanted text) returns table (item int, amount numeric) language sql as
      $$ select row_number() over (order by id)::int, amount::numeric from amounts where label = label_wanted order by id $$`,
    `create function many_amounts(n int) returns table (item int, amount numeric) language sql as
      $$ select g, 12345678901234567.25 + g from generate_series(1, n) g $$`,
    `create procedure with_default(label text, amount numeric default 12345678901234567890.5) language plpgsql as
      $$ begin insert into amounts (label, amount) values (label, amount::text); end $$`,
  ],
  mssql: [
    'create table amounts (id int identity, label nvarchar(100), amount nvarchar(100))',
    `create procedure keeps @label nvarchar(100), @amount decimal(38,6), @same decimal(38,6) = 0 output as
      begin insert into amounts (label, amount) values (@label, convert(nvarchar(100), @amount)); set @same = @amount end`,
    `create procedure keeps_whole @label nvarchar(100), @amount int as insert into amounts (label, amount) values (@label, convert(nvarchar(100), @amount))`,
    `create procedure keeps_float @label nvarchar(100), @amount float, @same float = 0 output as
      begin insert into amounts (label, amount) values (@label, convert(nvarchar(100), @amount)); set @same = @amount end`,
  ],
};
const ONLY_PG = 'numbers without bounds: SQL Server has none, decimal(p,s) there is a Text where p is more than 15';

const idOf = (list: readonly { Name: string; Id: number }[], name: string): number =>
  list.find(({ Name }) => Name === name)!.Id;

/** Texts of inputs, and the resulting cells of outputs. */
const VALUES: [text: string, cell: string | number][] = [
  ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
  ['-1234567890123456789012345678.9012345678', '-1234567890123456789012345678.9012345678'],
  ['0.12345678901234567890123456789012345678', '0.12345678901234567890123456789012345678'],
  ['9007199254740993', '9007199254740993'],
  ['100000000000000.0001', '100000000000000.0001'],
  ['0.00000000000000000000000000000000000001', 1e-38],
  ['99999999999999.9', 99999999999999.9],
  ['12.5', 12.5],
  ['-0.1', -0.1],
  ['0', 0],
];

const it = withProcedurePortal(SQL).extend('procedures', { scope: 'file' }, ({ portal }) => {
  const stored = (label: string) =>
    portal.shop.knex('amounts').where({ label }).orderBy('id').pluck('amount') as unknown as Promise<string[]>;

  /** Starts the activity with values written as raw JSON. */
  async function runWritten(activity: Activity, written: Record<string, string>) {
    const Inputs = sent(activity, Object.fromEntries(Object.keys(written).map((name) => [name, null]))).map((one) => {
      const { Name } = activity.Inputs.find(
        ({ Id }) => Id === (one as { ActivityParameterId: number }).ActivityParameterId,
      )!;
      return Name in written ? { ...one, Value: written[Name] } : one;
    });
    return portal.post('start', { ActivityId: activity.Id, ActivityVersion: activity.Version, Inputs });
  }

  return { stored, runWritten };
});

describe('a number of more digits than a double keeps', () => {
  it('goes through a parameter without bounds and comes back with every digit, and small ones stay numbers', async ({
    portal,
    procedures: { stored },
    skip,
  }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const activity = await portal.create('keeps');
    const { Info } = activity.Inputs.find(({ Name }) => Name === 'amount')!;
    expect(Info).toMatchObject({ CellUsages: ['Number'], ExactNumbers: true });
    for (const [text, cell] of VALUES) {
      const run = await portal.run(activity, { label: 'one', amount: text });
      expect([text, run.Status, run.outputs['same']]).toEqual([text, 'Succeeded', cell]);
    }
    expect(await stored('one')).toEqual(VALUES.map(([text]) => text));
  });

  it('goes through the columns of a table, and through result sets', async ({
    portal,
    procedures: { stored },
    skip,
  }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const activity = await portal.create('keeps_lines');
    const lines = VALUES.map(([text], index) => [`line ${index}`, text]);
    const run = await portal.run(activity, { label: 'lines', lines });
    expect(run).toMatchObject({
      Status: 'Succeeded',
      outputs: { same: VALUES.map(([, cell], at) => [`line ${at}`, cell]) },
    });
    expect(await stored('lines')).toEqual(VALUES.map(([text]) => text));
    const rows = await portal.run(await portal.create('amounts_of'), { label_wanted: 'lines' });
    expect(rows.outputs).toEqual({ Result1: VALUES.map(([, cell], at) => [at + 1, cell]) });
  });

  it('stands as text in the workbook of a large result, and the log says how many', async ({ portal, skip }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const run = await portal.run(await portal.create('many_amounts'), { n: 10_001 });
    expect(run.Status).toBe('Succeeded');
    expect(run.log).toContain(
      '10,001 values of column amount of Result1: numbers of more than 15 digits, stored as text',
    );
  });

  it('may be typed as people type numbers', async ({ portal, procedures: { stored }, skip }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const activity = await portal.create('keeps');
    for (const amount of [' 1,234.50 ', '12.5%', '12,345,678,901,234,567.25', '1e3'])
      expect((await portal.run(activity, { label: 'typed', amount })).Status).toBe('Succeeded');
    expect(await stored('typed')).toEqual(['1234.5', '0.125', '12345678901234567.25', '1000']);
    const refused = await portal.start(activity, { label: 'typed', amount: '1.2.3' });
    expect(refused.body.modelState).toEqual({ amount: ['Value must be a number'] });
  });

  it('is refused by name where a program sends it as a number, which may have been rounded', async ({
    portal,
    procedures: { runWritten, stored },
    skip,
  }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const activity = await portal.create('keeps');
    for (const number of ['1234567890123456.7891', '0.30000000000000004', '9007199254740993']) {
      const answer = await runWritten(activity, { label: '"json"', amount: number });
      const message = `The number ${number} has more than 15 digits and may already have been rounded: send it as text ("${number}")`;
      expect([answer.status, answer.body.modelState]).toEqual([400, { amount: [message] }]);
    }
    const exactNumbers = ['123456789012345', '0.000123456789012345', '1.5e3', '-7.50'];
    for (const number of exactNumbers) {
      const answer = await runWritten(activity, { label: '"json"', amount: number });
      expect((await portal.ended(answer.body.result.Id)).Status).toBe('Succeeded');
    }
    expect(await stored('json')).toEqual(['123456789012345', '0.000123456789012345', '1500', '-7.5']);
    const lines = await runWritten(await portal.create('keeps_lines'), {
      label: '"json"',
      lines: '[["a", 1.5], ["b", 12345678901234567]]',
    });
    expect(lines.body.modelState.lines).toEqual([expect.stringContaining('The number 12345678901234567 has more')]);
  });

  it('is never rounded to what a type of fewer digits holds', async ({ portal, procedures: { stored } }) => {
    for (const [name, amount, said] of [
      ['keeps_whole', '12.00000000000000000001', /holds whole numbers/],
      ['keeps_float', '0.1000000000000000000055', /does not hold all digits/],
    ] as const) {
      const run = await portal.run(await portal.create(name), { label: 'never', amount });
      expect([run.Status, run.log.join()]).toEqual(['Failed', expect.stringMatching(said)]);
    }
    expect(await stored('never')).toEqual([]);
    const float = await portal.run(await portal.create('keeps_float'), {
      label: 'float',
      amount: '0.30000000000000004',
    });
    expect([float.Status, float.outputs['same']]).toEqual(['Succeeded', 0.30000000000000004]);
  });
});

describe('a number of many digits that is preset, handed on or run again', () => {
  const LONG = '1234567890123456789012345.6789';

  it('is the preset value of runs by a schedule or of others', async ({ portal, procedures: { stored }, skip }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const activity = await portal.create('keeps');
    const preset = async (PresetValue: string) => {
      const ActivityParameterId = idOf(activity.Inputs, 'amount');
      return portal.post('updatepresetvals', [{ Id: ActivityParameterId, ActivityId: activity.Id, PresetValue }]);
    };
    expect((await preset(LONG)).status).toBe(400);
    const saved = await preset(JSON.stringify(LONG));
    expect(saved.body.message ?? '').toBe('');
    const run = await portal.run(activity, { label: 'preset' });
    expect([run.Status, run.outputs['same'], await stored('preset')]).toEqual(['Succeeded', LONG, [LONG]]);
  });

  it('is a default that is shown with all its digits', async ({ portal, procedures: { stored }, skip }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const activity = await portal.create('with_default');
    const { Info } = activity.Inputs.find(({ Name }) => Name === 'amount')!;
    expect(Info.DefaultValue).toBe('"12345678901234567890.5"');
    expect((await portal.run(activity, { label: 'default' })).Status).toBe('Succeeded');
    expect(await stored('default')).toEqual(['12345678901234567890.5']);
  });

  it('goes along a linkage, as what a workbook calculated does with all digits of its double', async ({
    portal,
    procedures: { stored },
    skip,
  }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const [source, target] = [await portal.create('keeps'), await portal.create('keeps')];
    const LinkInfo = JSON.stringify([
      { source: idOf(source.Outputs, 'same'), target: idOf(target.Inputs, 'amount'), ReadOnly: [true] },
    ]);
    const link = await portal.post('writelink', {
      Id: 0,
      ActivityId: source.Id,
      LinkedActivityId: target.Id,
      Name: 'On',
      LinkInfo,
    });
    expect(link.body.message ?? '').toBe('');
    const follow = async (ActivityRunId: number) => {
      const Inputs = [{ ActivityParameterId: idOf(target.Inputs, 'label'), Value: '"linked"' }];
      const body = { ActivityLinkId: link.body.result.Id, ActivityRunId, OutputTransforms: [], Inputs };
      const started = await portal.post('startlink', body);
      expect(started.body.modelState ?? started.body.message ?? '').toBe('');
      return portal.ended(started.body.result.Id);
    };
    const first = await portal.run(source, { label: 'source', amount: LONG });
    expect((await follow(first.Id)).outputs['same']).toBe(LONG);
    // Stores the value as an output of a workbook would be.
    await portal.app.database
      .knex('RunOutputs')
      .where({ ActivityRunId: first.Id })
      .update({ Value: '0.30000000000000004' });
    const second = await follow(first.Id);
    expect(second.log.join()).toContain('is passed with all its 17 digits: 0.30000000000000004');
    expect(await stored('linked')).toEqual([LONG, '0.30000000000000004']);
  });

  it('comes back when its run is run again', async ({ portal, procedures: { runWritten, stored }, skip }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const activity = await portal.create('keeps');
    const run = await portal.run(activity, { label: 'again', amount: LONG });
    const { Value } = run.body.Inputs.find(({ Name }: { Name: string }) => Name === 'amount');
    expect(Value).toBe(JSON.stringify(LONG));
    const again = await runWritten(activity, { label: '"again"', amount: Value });
    expect((await portal.ended(again.body.result.Id)).outputs['same']).toBe(LONG);
    expect(await stored('again')).toEqual([LONG, LONG]);
  });

  it('is kept by a version that was made before inputs kept every digit', async ({
    portal,
    procedures: { stored },
    skip,
  }) => {
    if (!portal.isPg) skip(ONLY_PG);
    const activity = await portal.create('keeps');
    const { knex } = portal.app.database;
    const version = { ActivityId: activity.Id, Version: 1 };
    const { Definition } = await knex('ActivityVersions').where(version).first('Definition');
    const old = (Definition as string).replaceAll(',"ExactNumbers":true', '');
    expect(old).not.toBe(Definition);
    await knex('ActivityVersions').where(version).update({ Definition: old });
    const read = await createVersionCatalog(knex).get(activity.Id, 1);
    expect(read!.inputs.find(({ Name }) => Name === 'amount')!.Info).toMatchObject({
      CellUsages: ['Number'],
      ExactNumbers: true,
    });
    portal.app.versions.forget(activity.Id);
    expect((await portal.run(activity, { label: 'old', amount: LONG })).Status).toBe('Succeeded');
    expect(await stored('old')).toEqual([LONG]);
  });
});
