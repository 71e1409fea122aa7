/** Tests the sample that starts runs of another sample: it is published manually and run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { multipart } from '#test/support/portal.ts';
import { test as base } from '#test/support/fixtures/step-portal.ts';
import { messagesOf } from '#test/support/step-portal.ts';
import { until } from '#test/support/until.ts';
import { SAMPLES_FOLDER } from './publish-samples.ts';

const test = base.extend('publish', { scope: 'file' }, ({ portal }) => {
  async function publish(name: string, file: string): Promise<number> {
    const content = await readFile(join(SAMPLES_FOLDER, 'files', file));
    const fields = { Id: '0', Schema: 'Steps', Name: name, SingleRun: 'false' };
    const { headers, payload } = multipart(fields, [{ name: file, content }]);
    const answer = await portal.app.http.inject({
      method: 'POST',
      url: '/api/activities/create',
      headers: { ...headers, ...portal.author.headers },
      payload,
    });
    const { Id } = answer.json<{ Id?: number }>();
    if (Id === undefined) throw new Error(answer.body);
    return Id;
  }

  return publish;
});

test('it starts a loan schedule for each customer, at the rate that was entered', async ({ portal, publish }) => {
  await publish('Loan schedule', 'loan-schedule.xlsx');
  const offers = await publish('Loan offers', 'loan-offers.xlsx');
  const run = await portal.ended(await portal.start(offers, { 'Bank Rate': 0.05, 'First Payment': 46_418 }));
  expect(messagesOf(run)).toContain(
    "Step 'Plan each loan': 4 runs of Loan schedule are started when this run has succeeded",
  );
  const over = await until('the end of all schedules', async () => {
    const now = await portal.get(run.Id);
    return now.RunningChildRuns === 0 ? now : undefined;
  });
  expect(over).toMatchObject({ Status: 'Succeeded', SuccessfulChildRuns: 4, FailedChildRuns: 0 });
  const [first] = (await portal.app.database
    .knex('ActivityRuns')
    .where({ ParentRunId: run.Id, RowKey: 'Alder Joinery' })
    .select('Id')) as { Id: number }[];
  const { Inputs, Outputs } = await portal.get(first!.Id);
  expect(Inputs.map(({ Name, Value }) => [Name, JSON.parse(Value ?? 'null') as unknown])).toEqual([
    ['Amount', 80_000],
    ['Interest Rate', expect.closeTo(0.062, 12)],
    ['Term in Years', 5],
    ['Payment Frequency', 'Quarterly'],
    ['First Payment', 46_418],
  ]);
  expect(Outputs.find(({ Name }) => Name === 'Number of Payments')?.Value).toBe('20');
}, 120_000);
