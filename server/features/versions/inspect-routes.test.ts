/** Inspecting a workbook before it is published. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/activity-portal.ts';
import { GOOD, WORKBOOK } from '#test/support/activity-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const NEW = { Id: '0', Schema: 'Finance' };
const named = (name: string) => ({ name, content: 'workbook' });

const test = base.extend('counts', { scope: 'file' }, ({ portal }) => async (): Promise<unknown[]> => {
  const { knex } = portal.app.database;
  return Promise.all(['Activities', 'ActivityVersions', 'StoredFiles'].map((table) => knex(table).count({ n: '*' })));
});

describe('a workbook that is looked at', () => {
  test('returns its inputs, outputs, steps and fidelity, and leaves nothing behind', async ({ portal, counts }) => {
    const before = await counts();
    portal.executor.onInspect = async () => ({
      ...GOOD,
      definition: { ...WORKBOOK, steps: [{ Step: 'Check the sum', Action: 'Check', options: {} }] },
    });
    const { status, body } = await portal.inspect(NEW, named('sales_commission-2026.xlsx'));
    portal.executor.onInspect = async () => GOOD;
    expect(status).toBe(200);
    expect(body.Inputs.map(({ Name }: { Name: string }) => Name)).toEqual(['Currency', 'Amount']);
    expect(body.Outputs).toEqual([expect.objectContaining({ Name: 'Total' })]);
    expect(body.Steps).toEqual([{ Step: 'Check the sum', Action: 'Check' }]);
    expect(body.Faults).toEqual([]);
    expect(body.Fidelity).toMatchObject({ Formulas: 10, Different: 1 });
    expect(body.Proposals).toEqual({ Name: 'Sales commission 2026', Description: '', Group: '', Function: '' });
    expect(await counts()).toEqual(before);
  });

  test('says where the names of the columns of its tables come from', async ({ portal }) => {
    const [first, ...others] = WORKBOOK.inputs;
    const inputs = [{ ...first!, headers: 'above' as const }, ...others];
    portal.executor.onInspect = async () => ({ ...GOOD, definition: { ...WORKBOOK, inputs } });
    const { body } = await portal.inspect(NEW);
    portal.executor.onInspect = async () => GOOD;
    expect(body.Inputs.map(({ Headers }: { Headers?: string }) => Headers)).toEqual(['above', undefined]);
  });

  test('proposes what it says of itself, cut to what the fields hold', async ({ portal }) => {
    const proposals = { Description: 'For the close', Group: 'x'.repeat(40), Function: 'Report' };
    portal.executor.onInspect = async () => ({ ...GOOD, definition: { ...WORKBOOK, proposals } });
    const { body } = await portal.inspect(NEW, named(`${'long name '.repeat(9)}.xlsx`));
    portal.executor.onInspect = async () => GOOD;
    expect(body.Proposals).toEqual({
      Name: 'Long name long name long name',
      Description: 'For the close',
      Group: 'x'.repeat(30),
      Function: 'Report',
    });
  });

  test('returns all of its problems at once, as a result and not as a failure, and the functions to accept', async ({
    portal,
  }) => {
    const problems = [
      { Sheet: 'A', Cell: 'B2', Message: 'wrong', Remedy: 'mend' },
      { Sheet: 'A', Cell: 'B3', Message: 'wrong too', Remedy: 'mend' },
    ];
    const lacking = { Name: 'LAMBDA', Sheet: 'A', Cell: 'B2', FeedsOutput: true };
    const fidelity = { ...GOOD.fidelity!, Unsupported: [lacking, lacking] };
    portal.executor.onInspect = async () => ({ definition: null, problems, fidelity });
    const { status, body } = await portal.inspect(NEW);
    expect(status).toBe(200);
    expect(body).toMatchObject({ Faults: problems, Unsupported: ['LAMBDA'], Inputs: [], Outputs: [] });
    const accepted = await portal.inspect({ ...NEW, AcceptUnsupported: '["lambda"]' });
    expect(accepted.body.Unsupported).toEqual([]);
    portal.executor.onInspect = async () => GOOD;
  });

  test.for([
    ['no file', NEW, null, 400, 'File must be uploaded'],
    [
      "a schema that is not the person's",
      { Id: '0', Schema: 'Nowhere' },
      undefined,
      403,
      'You may not create activities in this schema',
    ],
    ['an unknown field', { ...NEW, Colour: 'red' }, undefined, 400, 'Colour is not a known field'],
    ['an activity there is not', { Id: '999999' }, undefined, 404, 'There is no such activity'],
  ] as const)('is refused with %s', async ([, fields, file, status, Message], { portal }) => {
    expect(await portal.inspect(fields as Record<string, string>, file)).toEqual({ status, body: { Message } });
  });

  test.for(['inspect', 'create'])(
    'that is sent to %s says to its own page, and to no other person, how many are checked before it',
    async (path, { portal }) => {
      const other = await signedInUser(portal.app, ['sk.CreateActivity']);
      const answers: unknown[] = [];
      portal.executor.onInspect = async ({ owner, uploadId }) => {
        portal.executor.uploadsAhead = (...asked) => (asked[0] === owner && asked[1] === uploadId ? 2 : null);
        for (const headers of [undefined, other.headers])
          answers.push(await portal.get('/api/activities/uploadsahead/mine', headers));
        answers.push(await portal.get('/api/activities/uploadsahead/another'));
        return GOOD;
      };
      const send = path === 'create' ? portal.upload : portal.inspect;
      const fields = { ...NEW, ...(path === 'create' && { Name: 'Waits for others' }) };
      expect((await send(fields, undefined, undefined, '?UploadId=mine')).status).toBe(200);
      portal.executor.onInspect = async () => GOOD;
      const answer = (Ahead: number | null) => ({ status: 200, body: { result: { Ahead } } });
      expect(answers).toEqual([answer(2), answer(null), answer(null)]);
    },
  );

  test('is looked at for those alone who may make it an activity, or a version of one', async ({ portal }) => {
    const runner = await signedInUser(portal.app, ['sk.RunActivity']);
    expect((await portal.inspect(NEW, undefined, runner.headers)).status).toBe(403);
    const id = await portal.publish();
    expect((await portal.inspect({ Id: String(id) }, undefined, runner.headers)).status).toBe(403);
    expect((await portal.inspect({ Id: String(id) })).status).toBe(200);
  });
});
