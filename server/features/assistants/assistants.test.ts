/** Tools of assistants, through clients of the official SDK, with the real executor. */
import { describe, expect } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { callTool, toolNamed, type AssistantPortal } from '#test/support/assistant-portal.ts';
import { test as base } from '#test/support/fixtures/assistant-portal.ts';
import { portalTable } from '#test/support/form-portal.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { untilProgress } from '#test/support/until.ts';

const LOAN: WorkbookSpec = {
  formats: ['0.00%', 'yyyy-mm-dd'],
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 1000,
        A2: { value: 0.05, style: 1 },
        A3: { value: 46_000, style: 2 },
        A4: 'Yearly',
        B1: { formula: 'A1*A2', value: 50 },
        B2: { formula: 'A3+30', value: 46_030, style: 2 },
        D1: 'Cost name',
        E1: 'Amount',
        D2: 'a',
        E2: 1,
        F1: { formula: 'SUM(Costs[Amount])', value: 1 },
      },
      tables: [{ name: 'Costs', ref: 'D1:E2', columns: ['Cost name', 'Amount'] }],
      validations: [
        { ref: 'A1', type: 'decimal', operator: 'between', formula1: '1', formula2: '5000', showError: true },
        { ref: 'A4', type: 'list', formula1: '"Yearly,Monthly"', showError: true },
      ],
    },
    portalTable('PortalInputs', [
      ['Name', 'Specification'],
      ['Amount', 'Optional'],
    ]),
  ],
  names: {
    in_Amount: 'S!$A$1',
    in_Rate: 'S!$A$2',
    in_First_Day: 'S!$A$3',
    in_Frequency: 'S!$A$4',
    in_Costs: 'Costs[#All]',
    out_Interest: 'S!$B$1',
    out_Next_Day: 'S!$B$2',
    out_Costs: 'S!$F$1',
  },
};

const SIMPLE: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1*2', value: 2 } } }],
  names: { in_Factor: 'S!$A$1', out_Double: 'S!$B$1' },
};

const withSteps = (...steps: Parameters<typeof stepSheet>[0]): WorkbookSpec => ({
  ...SIMPLE,
  sheets: [...SIMPLE.sheets, stepSheet(steps)],
});

const MAIL = { Step: 'Tell', Action: 'Mail', To: 'ann@example.com', Subject: 'Hello', Message: 'Hello' };
const QUESTION = { Step: 'Factor', Action: 'Prompt', Cell: 'S!A1', Message: 'Which factor?', Minutes: 5 };

interface RunAnswer {
  run_id: number;
  status: string;
  has_ended: boolean;
  outputs: Record<string, unknown>;
  refusal?: string;
}

const runTool = async (...call: Parameters<typeof callTool>): Promise<RunAnswer> =>
  (await callTool(...call)) as unknown as RunAnswer;

const canAsk = { capabilities: { elicitation: {} } };

const test = base.extend('made', { scope: 'file' }, async ({ portal }) => {
  const publish = async (spec: WorkbookSpec, name: string): Promise<number> => {
    const id = await portal.publish(spec, name);
    if (typeof id !== 'number') throw new Error(JSON.stringify(id));
    return id;
  };
  return {
    loan: await publish(LOAN, 'Loan schedule'),
    simple: await publish(SIMPLE, 'Simple'),
    mailing: await publish(withSteps(MAIL), 'Mailing'),
    asking: await publish(withSteps(QUESTION), 'Asking'),
    key: await portal.keyOf(portal.runner),
  };
});

/** A client whose person answers every question with this. */
async function connectAsked(
  portal: AssistantPortal,
  key: string,
  isEarly: boolean,
  content: Record<string, string | boolean> | null,
) {
  const client = await portal.connect(key, { isEarly, ...canAsk });
  const questions: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    questions.push(params.message);
    return content === null ? { action: 'decline' as const } : { action: 'accept' as const, content };
  });
  return { client, questions };
}

describe.for([false, true])('a program of an earlier revision: %s', (isEarly) => {
  test('finds an activity, reads its inputs and runs it', async ({ portal, made: { key, loan } }) => {
    const client = await portal.connect(key, { isEarly });
    const found = await callTool(client, 'search_activities', { query: 'loan' });
    expect(found).toMatchObject({ total: 1, activities: [{ activity_id: loan, name: 'Loan schedule' }] });
    const described = await callTool(client, 'describe_activity', { activity_id: loan });
    expect(described).toMatchObject({
      changes: 'nothing',
      inputs: {
        properties: {
          amount: { minimum: 1, maximum: 5000, default: 1000 },
          rate: { description: 'A fraction: 0.05 is 5 %' },
          first_day: { type: expect.anything() },
          frequency: { enum: expect.arrayContaining(['Yearly', 'Monthly']) },
          costs: { type: 'array', items: { properties: { cost_name: {}, amount: {} } } },
        },
      },
    });
    const inputs = { amount: 2000, first_day: '2026-01-31', costs: [{ cost_name: 'Rent', amount: 7 }] };
    const ran = await runTool(client, 'run_activity', { activity_id: loan, inputs });
    expect(ran).toMatchObject({ status: 'Succeeded', has_ended: true });
    expect(ran.outputs).toEqual({ interest: 100, next_day: '2026-03-02', costs: 7 });
    const again = await runTool(client, 'get_run', { run_id: ran.run_id });
    expect(again.outputs).toEqual(ran.outputs);
    const run = await portal.get(ran.run_id);
    expect([run.ClientName, run.UserFullName]).toEqual(['Test assistant', portal.runner.UserName]);
    await client.close();
  });

  test('gets a refusal that it can read', async ({ portal, made: { key, loan } }) => {
    const client = await portal.connect(key, { isEarly });
    const wrong = await callTool(client, 'run_activity', { activity_id: loan, inputs: { amount: 9000 } });
    expect(wrong.refusal).toContain('Amount');
    const unknown = await callTool(client, 'run_activity', { activity_id: loan, inputs: { colour: 1 } });
    expect(unknown.refusal).toContain('has no input "colour"');
    const missing = await callTool(client, 'describe_activity', { activity_id: 999_999 });
    expect(missing.refusal).toBe('There is no such activity');
    await client.close();
  });

  test('starts a run that sends mails only after the person has confirmed it', async ({ portal, made }) => {
    const args = { activity_id: made.mailing, inputs: { factor: 4 } };
    const silent = await portal.connect(made.key, { isEarly });
    expect((await callTool(silent, 'run_activity', args)).refusal).toContain('the person must confirm it');
    const refusing = await connectAsked(portal, made.key, isEarly, null);
    expect((await callTool(refusing.client, 'run_activity', args)).refusal).toContain('did not confirm');
    const unticked = await connectAsked(portal, made.key, isEarly, { confirm: false });
    expect((await callTool(unticked.client, 'run_activity', args)).refusal).toContain('did not confirm');
    const agreeing = await connectAsked(portal, made.key, isEarly, { confirm: true });
    const ran = await runTool(agreeing.client, 'run_activity', args);
    expect(ran).toMatchObject({ status: 'Succeeded', outputs: { double: 8 } });
    expect(agreeing.questions).toHaveLength(1);
    const question =
      /^Test assistant wants to run "Mailing" \(.+\), which sends mails\.\nValues:\nfactor: 4\nStart it\?$/;
    expect(agreeing.questions[0]).toMatch(question);
    for (const { client } of [{ client: silent }, refusing, unticked, agreeing]) await client.close();
  });

  test('passes the question of a run on to the person', async ({ portal, made }) => {
    const args = { activity_id: made.asking };
    const { client, questions } = await connectAsked(portal, made.key, isEarly, { answer: '21' });
    const ran = await runTool(client, 'run_activity', args);
    expect(ran).toMatchObject({ status: 'Succeeded', outputs: { double: 42 } });
    expect(questions).toEqual([expect.stringContaining('Which factor?')]);
    const silent = await portal.connect(made.key, { isEarly });
    const waiting = await callTool(silent, 'run_activity', args);
    expect(waiting).toMatchObject({ has_ended: false, message: expect.stringContaining('cannot show it') });
    await portal.call('POST', `/api/activities/cancel/${String(waiting['run_id'])}`, {});
    for (const one of [client, silent]) await one.close();
  });

  test('cancels the run that it waits for, and none that it only looks at', async ({ portal, made }) => {
    const client = await portal.connect(made.key, { isEarly, ...canAsk });
    client.setRequestHandler('elicitation/create', () => new Promise(() => {}));
    const cancelling = new AbortController();
    const args = { activity_id: made.simple, wait_seconds: 300 };
    await portal.app.database.knex('Activities').where('Id', made.simple).update({ Pool: 'absent' });
    const call = client.callTool({ name: 'run_activity', arguments: args }, { signal: cancelling.signal });
    const ownRun = () =>
      portal.app.database
        .knex('ActivityRuns')
        .where({ ActivityId: made.simple, ClientName: 'Test assistant' })
        .orderBy('Id', 'desc')
        .first('Id', 'Status');
    const run = await untilProgress('the run', ownRun, (found) => found?.Status === 'Queued');
    const looking = new AbortController();
    const look = { name: 'get_run', arguments: { run_id: run!.Id, wait_seconds: 300 } };
    const looked = expect(client.callTool(look, { signal: looking.signal })).rejects.toThrow();
    await callTool(client, 'search_activities');
    looking.abort();
    await looked;
    await callTool(client, 'search_activities');
    expect((await ownRun())?.Status).toBe('Queued');
    cancelling.abort();
    await expect(call).rejects.toThrow();
    await untilProgress('the end of the run', ownRun, (found) => found?.Status === 'Cancelled');
    await portal.app.database.knex('Activities').where('Id', made.simple).update({ Pool: 'default' });
    await client.close();
  });
});

test('an activity that its editor offers has its own tool, with schemas', async ({ portal, made }) => {
  await portal.offer(made.loan);
  const client = await portal.connect(made.key);
  const name = `loan_schedule_${made.loan}`;
  const tool = await toolNamed(client, name);
  expect(tool).toMatchObject({
    title: 'Loan schedule',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', additionalProperties: false },
    outputSchema: { properties: { outputs: { properties: { interest: {}, next_day: {}, costs: {} } } } },
  });
  // The client checks the result against the schema.
  const ran = await runTool(client, name, { amount: 100, rate: 0.1 });
  expect(ran.outputs['interest']).toBe(10);
  await portal.offer(made.mailing);
  expect((await toolNamed(client, `mailing_${made.mailing}`))?.annotations).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
  });
  await portal.offer(made.loan, false);
  expect(await toolNamed(client, name)).toBeUndefined();
  await client.close();
});

test('variants are calculated without runs, and leave a line with the assistant’s name', async ({ portal, made }) => {
  const client = await portal.connect(made.key);
  const args = { activity_id: made.loan, inputs: { rate: 0.1 }, rows: [{ amount: 100 }, { amount: 9000 }] };
  const answer = await callTool(client, 'evaluate_activity', { ...args, outputs: ['interest'] });
  expect(answer).toMatchObject({
    rows: 2,
    outputs: { interest: [10, null] },
    errors: [{ row: 1, code: 'inputInvalid' }],
  });
  const { knex } = portal.app.database;
  const last = await knex('SecurityActions').where('Action', 'EvaluateActivity').orderBy('Id', 'desc').first();
  expect(last?.KeyColumnValue).toContain('for Test assistant');
  await callTool(client, 'search_activities');
  const read = await knex('SecurityActions').where('Action', 'AssistantCall').orderBy('Id', 'desc').first();
  expect(read).toMatchObject({ KeyColumnValue: 'search_activities, for Test assistant', UserId: portal.runner.UserId });
  await client.close();
});

test('a key that allows it changes without asking; progress is reported; a long run hands back its id', async ({
  portal,
  made,
}) => {
  const key = await portal.keyOf(portal.runner, { AssistantWrites: true });
  const client = await portal.connect(key);
  const ran = await runTool(client, 'run_activity', { activity_id: made.mailing, inputs: { factor: 2 } });
  expect(ran.status).toBe('Succeeded');
  const { knex } = portal.app.database;
  const line = await knex('SecurityActions').where('Action', 'CreateApiKey').orderBy('Id', 'desc').first();
  expect(line).toMatchObject({ KeyColumnName: 'AssistantWrites', KeyColumnValue: 'true' });
  await knex('Activities').where('Id', made.simple).update({ Pool: 'absent' });
  const reports: number[] = [];
  const { structuredContent } = await client.callTool(
    { name: 'run_activity', arguments: { activity_id: made.simple, wait_seconds: 3 } },
    { onprogress: ({ progress }) => reports.push(progress) },
  );
  const pending = structuredContent as unknown as RunAnswer;
  expect(pending).toMatchObject({ status: 'Queued', has_ended: false });
  expect(reports.length).toBeGreaterThan(1);
  expect(reports).toEqual(reports.toSorted((a, b) => a - b));
  await portal.call('POST', `/api/activities/cancel/${pending.run_id}`, {});
  await knex('Activities').where('Id', made.simple).update({ Pool: 'default' });
  await client.close();
});
