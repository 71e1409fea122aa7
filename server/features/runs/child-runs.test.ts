/** Tests the child runs of a run, as its page requests them. */
import { describe, expect } from 'vitest';
import { billing, INVOICE, type Bills } from '#test/support/start-workbooks.ts';
import { test as base } from '#test/support/fixtures/step-portal.ts';
import type { StepPortal } from '#test/support/step-portal.ts';
import { untilProgress } from '#test/support/until.ts';
import { signedInUser } from '#test/support/users.ts';

const it = base.extend('children', { scope: 'file', auto: true }, async ({ portal }) => {
  const over = () =>
    untilProgress(
      'the end of all that was started',
      () => portal.get(parent),
      ({ RunningChildRuns }) => RunningChildRuns === 0,
    );

  const post = (path: string, payload: object, user?: Parameters<StepPortal['call']>[3]) =>
    portal.call('POST', `/api/activities/childruns${path}`, payload, user);
  await portal.publish(INVOICE, 'Invoice');

  const rows: Bills = [
    ...Array.from({ length: 118 }, (_, at): Bills[number] => [`c${at + 1}`, at]),
    ['=Eve', -1],
    ['Zoe', -2],
  ];

  const parent = (await portal.run(billing(rows, { AtOnce: '20' }), 'Billing')).Id;
  await over();
  return { parent, over, post };
});

describe('what a run started', () => {
  it('is counted by the step that did it', async ({ portal, children: { parent } }) => {
    const { body } = await portal.call('GET', `/api/activities/childruns/${parent}`);
    expect(body.result.Items).toEqual([
      {
        StepKey: '1',
        StepName: 'Bill all',
        ActivityId: expect.any(Number),
        Name: 'Invoice',
        SuccessfulChildRuns: 118,
        FailedChildRuns: 2,
        RunningChildRuns: 0,
        CanRetry: true,
        Tables: ['Rows'],
      },
    ]);
  });

  it('is listed a page at a time, what failed first with why', async ({ children: { parent, post } }) => {
    const of = { RunId: parent, StepKey: '1' };
    const first = (await post('', of)).body.result;
    expect(first.Rows).toHaveLength(100);
    expect(first.Rows.slice(0, 3)).toMatchObject([
      { RowKey: '=Eve', Status: 'Failed', Message: 'The amount is negative', CanView: true, Attempt: 1 },
      { RowKey: 'Zoe', Status: 'Failed' },
      { RowKey: 'c1', Status: 'Succeeded', Message: '' },
    ]);
    const second = (await post('', { ...of, After: first.Next })).body.result;
    expect(second.Rows.map(({ RowKey }: { RowKey: string }) => RowKey).slice(-1)).toEqual(['c118']);
    expect([second.Rows.length, second.Next]).toEqual([20, null]);
  });

  it('comes as one table, with a line for each row in the order of the workbook', async ({
    portal,
    children: { post, parent },
  }) => {
    const { body } = await post('/download', { RunId: parent, StepKey: '1', Table: 'Rows', Format: 'csv' });
    const answer = await portal.app.http.inject({ method: 'GET', url: `/api/files/download/${body.result}` });
    const lines = answer.body.replace('\uFEFF', '').trim().split('\r\n');
    expect(lines).toHaveLength(121);
    expect(lines.slice(0, 3)).toEqual(['RowKey,Status,Double', 'c1,Succeeded,0', 'c2,Succeeded,2']);
    expect(lines.slice(-2)).toEqual(["'=Eve,Failed,", 'Zoe,Failed,']);
  });

  it('returns the statuses of the requested ones only', async ({ portal, children: { post, parent } }) => {
    const [child] = (await post('', { RunId: parent, StepKey: '1' })).body.result.Rows;
    const { body } = await portal.call('POST', `/api/activities/status/${parent}`, [
      child.Id,
      parent,
    ] as unknown as object);
    expect(body.result).toMatchObject({
      ChildStatuses: { [child.Id]: 'Failed' },
      SuccessfulChildRuns: 118,
      FailedChildRuns: 2,
    });
  });

  it('is retried where it failed alone', async ({ portal, children: { post, parent, over } }) => {
    const retried = await post(`/retry/${parent}`, { StepKey: '1' });
    expect(retried.body.result).toEqual({ Count: 2 });
    expect(await over()).toMatchObject({ SuccessfulChildRuns: 118, FailedChildRuns: 2 });
    const [eve] = (await post('', { RunId: parent, StepKey: '1' })).body.result.Rows;
    expect(eve).toMatchObject({ RowKey: '=Eve', Attempt: 2, Status: 'Failed' });
    const first = (await portal.get(eve.Id)).RetryOf;
    expect(first).not.toBeNull();
  });

  it('is hidden from those who may not see the run, and from others the step does not exist', async ({
    portal,
    children: { parent, post },
  }) => {
    const stranger = await signedInUser(portal.app, ['sk.RunActivity']);
    const of = { RunId: parent, StepKey: '1' };
    const answers = [
      await portal.call('GET', `/api/activities/childruns/${parent}`, undefined, stranger),
      await post('', of, stranger),
      await post('/download', { ...of, Table: 'Rows', Format: 'csv' }, stranger),
      await post(`/retry/${parent}`, { StepKey: '1' }, stranger),
      await post('', { ...of, StepKey: '2' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});
