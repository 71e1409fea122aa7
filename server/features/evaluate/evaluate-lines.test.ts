/** The call evaluate as lines, and its client, which sends many calls and may leave. */
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect } from 'vitest';
import { createClient, CallFailure } from '#shared/client/client.ts';
import { evaluate } from '#shared/client/evaluate.ts';
import { InputFailure, type GivenCell } from '#shared/client/inputs.ts';
import type { EvaluateLine } from '#shared/contract/evaluate.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { test } from '#test/support/fixtures/evaluated-loan.ts';
import type { FormPortal } from '#test/support/form-portal.ts';
import { until } from '#test/support/until.ts';
import { signedInUser } from '#test/support/users.ts';

const linesOf = (text: string): EvaluateLine[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvaluateLine);

describe('lines', () => {
  test('contain all rows in their order, with progress', async ({ portal, loan }) => {
    const count = 1500;
    const Rate = Array.from({ length: count }, (_, row) => (row === 700 ? 'x' : row / count));
    const answer = await portal.app.http.inject({
      method: 'POST',
      url: `/api/activities/${loan.activity.Id}/evaluate`,
      headers: { ...portal.runner.headers, accept: 'application/x-ndjson' },
      payload: { Inputs: { Rate }, Outputs: ['Interest'] },
    });
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const [start, ...lines] = linesOf(answer.body);
    expect(start).toEqual({ Type: 'Start', ActivityId: loan.activity.Id, Version: 1, Rows: count });
    expect(lines.pop()).toEqual({ Type: 'End', Rows: count, Refused: 1 });
    expect(lines.length).toBeGreaterThan(1);
    const rows = lines.flatMap((line) => (line.Type === 'Rows' ? [line] : []));
    expect(rows.map(({ FirstRow }) => FirstRow)).toEqual(
      rows.map((_, at) => rows.slice(0, at).reduce((sum, { Rows }) => sum + Rows, 0)),
    );
    const values = rows.flatMap(({ Outputs }) => Outputs['Interest']);
    expect(values).toEqual(Rate.map((rate) => (typeof rate === 'number' ? 1000 * rate : null)));
    expect(rows.flatMap(({ Errors }) => Errors)).toMatchObject([{ Row: 700, Input: 'Rate' }]);
  });

  test('are not started if the call is refused', async ({ portal, loan }) => {
    const headers = { ...portal.runner.headers, accept: 'application/x-ndjson' };
    expect((await loan.evaluate({ Inputs: { Amount: 'x' } }, { headers })).status).toBe(400);
  });
});

/** Each row takes a while. */
const SLOW: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 1,
        B1: { formula: 'SUMPRODUCT((ROW($1:$200000)+A1)*(ROW($1:$200000)>A1))', value: 1 },
      },
    },
  ],
  names: { in_A: 'S!$A$1', out_B: 'S!$B$1' },
};

describe('a client', () => {
  const controllers: AbortController[] = [];
  afterAll(() => controllers.forEach((one) => one.abort()));

  const clientOf = async ({ app, runner }: FormPortal) => {
    if (!app.http.server.listening) await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as AddressInfo;
    const token = runner.headers.authorization.replace('Bearer ', '');
    return createClient({ address: `http://127.0.0.1:${port}`, token });
  };

  test('gets days as texts, progress, and the rows it could not read as refused', async ({ portal, loan }) => {
    const client = await clientOf(portal);
    const progress: [number, number][] = [];
    const rows: Record<string, GivenCell>[] = [
      { Rate: '10 %' },
      { Rate: '1,500' },
      { Rate: 0.2, Amount: 9000 },
      { 'First Day': new Date('2026-02-28') },
    ];
    const found = await evaluate(client, loan.activity, rows, {
      inputs: { Costs: [{ Name: 'x', Amount: 5 }] },
      onProgress: (...at) => progress.push(at),
      rowsPerCall: 2,
    });
    expect(found.Outputs).toEqual({
      Interest: [100, null, null, 50],
      'Next Day': ['2026-01-08', null, null, '2026-03-30'],
      Costs: [5, null, null, 5],
    });
    expect(found.Errors.map(({ Row, Input }) => [Row, Input])).toEqual([
      [1, 'Rate'],
      [2, 'Amount'],
    ]);
    expect(progress).toEqual([
      [2, 3],
      [3, 3],
    ]);
    await expect(evaluate(client, loan.activity, [{ Profit: 1 }])).rejects.toThrow(InputFailure);
    await expect(evaluate(client, loan.activity, [{}], { outputs: ['X'] })).rejects.toThrow(CallFailure);
  });

  test('that leaves ends the calculation, and others get their turn before that', async ({ portal, loan }) => {
    const client = await clientOf(portal);
    const slow = await portal.publish(SLOW, 'Slow');
    const leaving = new AbortController();
    controllers.push(leaving);
    let done = 0;
    const rows = Array.from({ length: 50_000 }, (_, A) => ({ A }));
    const long = evaluate(client, slow, rows, { signal: leaving.signal, onProgress: (count) => void (done = count) });
    await until('the long call has calculated rows', () => done > 0);
    const other = await signedInUser(portal.app, ['sk.RunActivity']);
    expect((await loan.evaluate({ Outputs: ['Interest'] }, { headers: other.headers })).status).toBe(200);
    expect(done).toBeLessThan(rows.length);
    leaving.abort();
    await expect(long).rejects.toThrow();
    // The thread is free again for the next call of the same person.
    expect((await loan.evaluate({ Outputs: ['Interest'] })).status).toBe(200);
  });
});
