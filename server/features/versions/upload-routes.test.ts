/** Uploading workbooks: new activities, new versions, and rejected uploads. */
import { describe, expect } from 'vitest';
import { input, output } from '#test/support/portal.ts';
import { signedInUser } from '#test/support/users.ts';
import { test } from '#test/support/fixtures/activity-portal.ts';
import { GOOD, uniqueName, WORKBOOK } from '#test/support/activity-portal.ts';

describe('uploading a workbook', () => {
  test('makes an activity with inputs, outputs and a fidelity report', async ({ portal: { upload, get } }) => {
    const Name = uniqueName();
    const answer = await upload({
      Id: '0',
      Schema: 'Finance',
      Name,
      Order: '2.4',
      MemoryCost: 'x',
      SingleRun: 'false',
    });
    expect(answer).toEqual({ status: 200, body: { Id: expect.any(Number), Version: 1 } });
    const { body } = await get(`/api/activities/details/${answer.body.Id}`);
    expect(body.result).toMatchObject({
      Name,
      Schema: 'Finance',
      Order: 2,
      MemoryCost: 0,
      SingleRun: false,
      Version: 1,
    });
    expect(body.result.Inputs.map((i: { Name: string }) => i.Name)).toEqual(['Currency', 'Amount']);
    expect((await get(`/api/activities/fidelity/${answer.body.Id}/1`)).body.result).toEqual(GOOD.fidelity);
  });

  test('takes all fields of an activity, though it does not look at all of them', async ({ portal: { upload } }) => {
    const Name = uniqueName();
    const unread = {
      Type: 'Workbook',
      Version: '1',
      ProcedureName: '',
      DisplayInfo: '{}',
      Inputs: '[]',
      LastRun: 'null',
    };
    const { status, body } = await upload({ Id: '0', Schema: 'Finance', Name, ...unread });
    expect([status, body]).toEqual([200, { Id: expect.any(Number), Version: 1 }]);
  });

  test.for([
    ['a name that is missing', { Name: '' }, undefined, 'Please correct the errors shown above'],
    ['a forbidden character', { Name: 'a/b' }, undefined, 'Please correct the errors shown above'],
    ['an order that is not a number', { Order: 'first' }, undefined, 'Order must be a number'],
    ['no file', {}, null, 'File must be uploaded'],
    ['a group that is too long', { Group: 'x'.repeat(31) }, undefined, expect.stringContaining('Group')],
    ['an unknown field', { Colour: 'red' }, undefined, 'Colour is not a known field'],
    [
      'a region that nobody knows',
      { Region: 'de-XX' },
      undefined,
      "'de-XX' is not a known region: send a tag such as de-DE or en-US as Region, or omit Region",
    ],
    ['an Id that is none', { Id: '[null]' }, undefined, 'Id cannot be read'],
    ['an Id that no activity can have', { Id: '2147483648' }, undefined, 'Id cannot be read'],
    ['a truth value for an Id', { Id: 'true' }, undefined, 'Id cannot be read'],
  ] as const)('refuses %s', async ([, fields, file, Message], { portal: { upload } }) => {
    const answer = await upload({ Id: '0', Schema: 'Finance', Name: uniqueName(), ...fields }, file);
    expect(answer).toEqual({ status: 400, body: { Message } });
  });

  test('answers all faults and stores nothing', async ({ portal: { executor, app, upload } }) => {
    const problems = [{ Sheet: 'A', Cell: 'B2', Message: 'wrong', Remedy: 'mend' }];
    const lacking = { Name: 'LAMBDA', Sheet: 'A', Cell: 'B2', FeedsOutput: true };
    executor.onInspect = async () => ({
      definition: null,
      problems,
      fidelity: { ...GOOD.fidelity!, Unsupported: [lacking] },
    });
    const before = await app.database.knex('StoredFiles').count({ n: '*' });
    const Name = uniqueName();
    const answer = await upload({ Id: '0', Schema: 'Finance', Name });
    executor.onInspect = async () => GOOD;
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ Message: expect.any(String), Faults: problems, Unsupported: ['LAMBDA'] });
    expect(await app.database.knex('Activities').where({ Name })).toEqual([]);
    expect(await app.database.knex('StoredFiles').count({ n: '*' })).toEqual(before);
  });

  test('needs the right for the schema', async ({ portal: { app, upload, get } }) => {
    const other = await signedInUser(app, [{ right: 'sk.CreateActivity', Schema: 'General' }]);
    const fields = { Id: '0', Name: uniqueName() };
    expect((await upload({ ...fields, Schema: 'Finance' }, undefined, other.headers)).status).toBe(403);
    expect((await upload({ ...fields, Schema: 'Nowhere' }, undefined, other.headers)).status).toBe(403);
    expect((await upload({ ...fields, Schema: 'General' }, undefined, other.headers)).status).toBe(200);
    expect((await get('/api/activities/create/allowedSchemas', other.headers)).body.result.Items).toEqual([
      { Name: 'General' },
    ]);
  });

  test('refuses a name that the schema has already, whatever its case', async ({ portal: { publish, upload } }) => {
    const Name = uniqueName();
    await publish({ Name });
    const answer = await upload({ Id: '0', Schema: 'Finance', Name: Name.toUpperCase() });
    expect(answer.status).toBe(409);
  });

  test('publishes an upload once that is repeated because its response was lost', async ({
    portal: { upload, app },
  }) => {
    const sent = { Id: '0', Schema: 'Finance', Name: uniqueName() };
    const query = '?UploadId=response-lost';
    const first = await upload(sent, undefined, undefined, query);
    expect(first).toMatchObject({ status: 200, body: { Version: 1 } });
    expect(await upload(sent, undefined, undefined, query)).toEqual(first);
    const Id = String(first.body.Id);
    const change = (ChangeDescription: string) => upload({ Id, ChangeDescription }, undefined, undefined, query);
    const atOnce = await Promise.all([change('May'), change('May')]);
    expect(atOnce.map(({ body }) => body.Version)).toEqual([2, 2]);
    // Other content is another upload, and so is the same content without a key.
    expect((await change('June')).body.Version).toBe(3);
    expect((await upload({ Id, ChangeDescription: 'June' })).body.Version).toBe(4);
    const stranger = await signedInUser(app, ['sk.EditActivity']);
    expect((await upload({ Id, ChangeDescription: 'June' }, undefined, stranger.headers, query)).body.Version).toBe(5);
  });

  test('makes a new version that keeps ids by name and the fields that were not sent', async ({
    portal: { publish, get, upload, executor },
  }) => {
    const Id = await publish({ Group: 'Loans' });
    const before = (await get(`/api/activities/details/${Id}`)).body.result;
    expect(await upload({ Id: String(Id) })).toEqual({
      status: 400,
      body: { Message: 'ChangeDescription must be provided' },
    });
    executor.onInspect = async () => ({
      ...GOOD,
      definition: { ...WORKBOOK, inputs: [input('AMOUNT', {}), input('New', {})], outputs: [output('Total')] },
    });
    const answer = await upload({ Id: String(Id), ChangeDescription: 'Rates of 2027' });
    executor.onInspect = async () => GOOD;
    expect(answer.body).toEqual({ Id, Version: 2 });
    const after = (await get(`/api/activities/details/${Id}`)).body.result;
    expect(after).toMatchObject({ Version: 2, Group: 'Loans', Name: before.Name });
    expect(after.Inputs[0]).toMatchObject({ Name: 'AMOUNT', Id: before.Inputs[1].Id });
    expect(after.Outputs[0].Id).toBe(before.Outputs[0].Id);
    const { body } = await get(`/api/activities/versions/${Id}`);
    expect(body.result.Versions.map((v: { Version: number }) => v.Version)).toEqual([2, 1]);
    expect(body.result.Versions[0]).toMatchObject({
      ChangeDescription: 'Rates of 2027',
      ContentLength: 8,
      Fidelity: { Engine: 'test', Formulas: 10, Different: 1, DifferentFeedingOutputs: 0 },
    });
  });

  test('hands on the region that was chosen, or else that of the version before', async ({
    portal: { executor, upload, get, publish },
  }) => {
    const asked: unknown[] = [];
    const stored = { id: 'en-GB', source: 'Chosen', told: null } as const;
    executor.onInspect = async ({ region }) => {
      asked.push(region);
      return { ...GOOD, definition: { ...WORKBOOK, region: stored } };
    };
    const Id = await publish({ Region: 'en-gb' });
    const { body } = await get(`/api/activities/details/${Id}`);
    expect(body.result.WorkbookRegion).toEqual({ Id: 'en-GB', Source: 'Chosen' });
    await upload({ Id: String(Id), ChangeDescription: 'Rates', Region: '' });
    await upload({ Id: String(Id), ChangeDescription: 'More rates', Region: 'fr-CH' });
    executor.onInspect = async () => GOOD;
    expect(asked).toEqual([{ chosen: 'en-GB' }, { before: stored }, { chosen: 'fr-CH' }]);
  });

  test('uses the region of an older version that only its inputs specify', async ({
    portal: { executor, upload, publish },
  }) => {
    const Region = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' as const };
    executor.onInspect = async () => ({ ...GOOD, definition: { ...WORKBOOK, inputs: [input('Amount', { Region })] } });
    const Id = await publish();
    let asked: unknown;
    executor.onInspect = async ({ region }) => {
      asked = region;
      return GOOD;
    };
    await upload({ Id: String(Id), ChangeDescription: 'Rates' });
    executor.onInspect = async () => GOOD;
    expect(asked).toEqual({ before: { id: 'de-DE', source: 'Formats', told: 'de-DE' } });
  });

  test('says on the list of versions and in the report how many formulas were not compared', async ({
    portal: { publish, executor, upload, get },
  }) => {
    const fidelity = {
      ...GOOD.fidelity!,
      NotCompared: 3,
      NotComparedFeedingOutputs: 1,
      NotComparedReasons: [{ Reason: 'Volatile' as const, Formulas: 3 }],
      NotComparedCells: [
        { Sheet: 'S', Cell: 'A1', Formula: 'TODAY()', Reason: 'Volatile' as const, DependsOn: null, FeedsOutput: true },
      ],
      NotComparedOutputs: [{ Output: 'Total', Sheet: 'S', Cell: 'A1', Reason: 'Volatile' as const }],
    };
    const Id = await publish();
    executor.onInspect = async () => ({ ...GOOD, fidelity });
    await upload({ Id: String(Id), ChangeDescription: 'With the day' });
    executor.onInspect = async () => GOOD;
    expect((await get(`/api/activities/fidelity/${Id}/2`)).body.result).toEqual(fidelity);
    const [second, first] = (await get(`/api/activities/versions/${Id}`)).body.result.Versions;
    expect(second.Fidelity).toMatchObject({ NotCompared: 3, NotComparedFeedingOutputs: 1 });
    // This version was stored before these were counted.
    expect(first.Fidelity).not.toHaveProperty('NotCompared');
  });
});
