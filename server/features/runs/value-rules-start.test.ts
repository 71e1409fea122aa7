/** Tests starts against the data validations of the workbook, with a real database and the real executor. */
import { pino } from 'pino';
import { describe, expect } from 'vitest';
import { createScheduler } from '#server/automation/schedules/scheduler.ts';
import type { FidelityReport } from '#shared/contract/fidelity.ts';
import type { StartResult } from '#shared/contract/runs.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { inputOf, value } from '#test/support/form-portal.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { DEC_31, JAN_1, RULED } from '#test/support/ruled-workbook.ts';

const GOOD = {
  Years: 20,
  Rate: 0.1,
  Day: JAN_1 + 30,
  Opening: 0.5,
  Code: 'ABC',
  Boxes: 2,
  Grace: 5,
  Many: 5,
  Region: 'North',
  City: 'Oslo',
  Linked: 5,
  Silent: 5,
  Spans: [[1, 2]],
};

const ALL_PRESET: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: { A1: 5, A2: 3, A3: 10, A4: { formula: 'A1+A2', value: 8 } },
      validations: [{ ref: 'A2', type: 'decimal', operator: 'lessThan', formula1: 'A1*$A$3/10' }],
    },
  ],
  names: { in_Most: 'S!$A$1', in_Used: 'S!$A$2', out_Sum: 'S!$A$4' },
};

const test = base.extend('rules', { scope: 'file' }, async ({ portal }) => {
  const sent = (values: Record<string, unknown>) =>
    Object.entries(values).map(([name, one]) => value(activity, name, one));

  const start = (changes: Record<string, unknown>) =>
    portal.call('POST', 'start', {
      ActivityId: activity.Id,
      ActivityVersion: activity.Version,
      UniqueId: null,
      Inputs: sent({ ...GOOD, ...changes }),
    });

  const published = async (name: string) => {
    const made = await portal.publish(ALL_PRESET, name);
    const save = (presets: Record<string, number | null>) =>
      portal.call(
        'POST',
        'updatepresetvals',
        Object.entries(presets).map(([input, given]) => ({
          Id: inputOf(made, input).Id,
          ActivityId: made.Id,
          PresetValue: given === null ? null : JSON.stringify(given),
        })),
        portal.editor.headers,
      );
    return { made, save };
  };

  const save = (name: string, given: unknown) =>
    portal.call(
      'POST',
      'updatepresetvals',
      [{ Id: inputOf(activity, name).Id, ActivityId: activity.Id, PresetValue: JSON.stringify(given) }],
      portal.editor.headers,
    );

  const activity = await portal.publish(RULED, 'Ruled');
  return { activity, sent, start, ended: portal.ended, published, save };
});

describe('a start', () => {
  test.for<[string, unknown, string]>([
    ['Years', 9999, 'Value must be between 1 and 40'],
    ['Years', 20.5, 'Value must be a whole number'],
    ['Rate', 0.26, 'Value must be between 0% and 25%'],
    ['Day', DEC_31 + 1, 'Value must be between 1/Jan/2026 and 31/Dec/2026'],
    ['Opening', 0.3, 'Value must not be before 08:30'],
    ['Code', 'AB', 'Value must have more than 2 characters'],
    ['Boxes', 3, 'Only even numbers of boxes'],
    ['Grace', 20.5, 'Value must be at most 20'],
    ['City', 'Rome', 'Please choose a valid value.'],
    [
      'Spans',
      [
        [1, 2],
        [7, 7],
      ],
      'Value in column To does not satisfy the rule of the workbook (row 2)',
    ],
    ['Spans', [[0, 2]], 'Value in column From must be greater than 0 (row 1)'],
    // Messages about types still come before those of rules.
    ['Years', 'many', 'Value must be a number'],
    ['Spans', [[1, 'x']], 'Value in column To must be a number (row 1)'],
  ])('with %s %j is refused, and starts nothing', async ([name, given, message], { portal, rules: { start } }) => {
    const before = await portal.app.database.knex('ActivityRuns').count({ n: '*' });
    const answer = await start({ [name]: given });
    expect([answer.status, answer.body.modelState]).toEqual([400, { [name]: [message] }]);
    expect(await portal.app.database.knex('ActivityRuns').count({ n: '*' })).toEqual(before);
  });

  test('is refused with the same messages that the form shows for these values', async ({
    portal,
    rules: { activity, sent, start },
  }) => {
    const values = { ...GOOD, Boxes: 7, City: 'Rome', Region: 'South', Grace: 30 };
    const { body } = await portal.ask(activity, { Inputs: sent(values) });
    const shown = Object.fromEntries(
      body.result.Rules.flatMap(
        ({ ActivityParameterId, Issues }: { ActivityParameterId: number; Issues: object[] }) => {
          const { Name } = activity.Inputs.find(({ Id }) => Id === ActivityParameterId)!;
          return Issues.length > 0 ? [[Name, (Issues as { Message: string }[]).map(({ Message }) => Message)]] : [];
        },
      ),
    );
    expect(shown).toEqual({ Boxes: ['Only even numbers of boxes'], Grace: ['Value must be at most 20'] });
    expect((await start(values)).body.modelState).toEqual(shown);
    const allowed = body.result.Rules.find(
      (one: { ActivityParameterId: number }) => one.ActivityParameterId === inputOf(activity, 'Grace').Id,
    );
    expect(allowed.Allowed).toBe('at most 20');
    // Rome is in the list of the South, and the form offers that list.
    expect(body.result.InputPickerValues).toMatchObject([{ Items: ['Rome', 'Bari'] }]);
  });

  test('with values that rules only warn of goes through, and its log says so', async ({ rules: { start, ended } }) => {
    const { Id } = (await start({ Many: 500, Linked: 99, Silent: 500 })).body.result as StartResult;
    const run = await ended(Id);
    expect(run.Status).toBe('SucceededWarn');
    expect(run.LogEntries.map(({ Message }) => Message)).toContain("Input 'Many': Rather many");
  });
});

test('a linked start is refused as well, and so is what the run gives', async ({
  portal,
  rules: { ended, activity, sent },
}) => {
  const book: WorkbookSpec = {
    sheets: [{ name: 'S', cells: { A1: 99, A2: { formula: 'A1', value: 99 } } }],
    names: { in_N: 'S!$A$1', out_N: 'S!$A$2' },
  };
  const source = await portal.publish(book, 'Source');
  const from = { ActivityId: source.Id, ActivityVersion: 1, UniqueId: null, Inputs: [value(source, 'N', 99)] };
  const { Id: ActivityRunId } = (await portal.call('POST', 'start', from)).body.result as StartResult;
  await ended(ActivityRunId);
  const mapping = { source: source.Outputs[0]!.Id, target: inputOf(activity, 'Years').Id, ReadOnly: [true] };
  const { body } = await portal.call(
    'POST',
    'writelink',
    {
      Id: 0,
      ActivityId: source.Id,
      LinkedActivityId: activity.Id,
      LinkInfo: JSON.stringify([mapping]),
      Name: 'On',
    },
    portal.editor.headers,
  );
  const { Years: _, ...others } = GOOD;
  const answer = await portal.call('POST', 'startlink', {
    ActivityLinkId: body.result.Id,
    ActivityRunId,
    OutputTransforms: [],
    Inputs: sent(others),
  });
  expect([answer.status, answer.body.modelState]).toEqual([400, { Years: ['Value must be between 1 and 40'] }]);
});

test('a visitor is refused as well, with the words of the workbook', async ({ portal, rules: { activity, sent } }) => {
  const { app } = portal;
  await app.database.knex('Grants').insert({
    RightName: 'sk.RunActivity',
    KeyColumnName: 'Id',
    KeyColumnValue: String(activity.Id),
    GranteeKind: 'internet',
    Grantee: '',
    Access: 1,
  });
  const startAsVisitor = async (changes: Record<string, unknown>) => {
    const payload = { ActivityId: activity.Id, ActivityVersion: 1, Inputs: sent({ ...GOOD, ...changes }) };
    const answer = await app.http.inject({ method: 'POST', url: '/api/public/activities/start', payload });
    return { status: answer.statusCode, body: answer.json<{ modelState?: unknown }>() };
  };
  const refused = await startAsVisitor({ Years: 41, Boxes: 3, Grace: 41 });
  expect([refused.status, refused.body.modelState]).toEqual([
    400,
    {
      Years: ['Value must be between 1 and 40'],
      Boxes: ['Only even numbers of boxes'],
    },
  ]);
  expect((await startAsVisitor({})).status).toBe(200);
});

describe('an activity whose inputs are all preset', () => {
  test('takes no presets that break a rule by one another, and keeps those it had', async ({
    portal,
    rules: { published },
  }) => {
    const { made, save } = await published('All preset');
    expect((await save({ Most: 20, Used: 25 })).body).toEqual({
      message: 'Invalid preset values for Used',
      modelState: { Used: ['Value must be less than 20'] },
    });
    expect((await portal.details(made.Id)).Inputs.map(({ PresetValue }) => PresetValue)).toEqual([null, null]);
    expect((await save({ Most: 30, Used: 25 })).status).toBe(200);
    // One preset violates the rule of the other.
    expect((await save({ Most: 20 })).body.modelState).toEqual({ Used: ['Value must be less than 20'] });
  });

  test('reports a rule that other values may still satisfy, and saves', async ({ rules: { published } }) => {
    const { save } = await published('Half preset');
    const { status, body } = await save({ Used: 9 });
    expect([status, body.result[1].PresetValueError]).toEqual([
      200,
      "With the workbook's own values of the other inputs: Value must be less than 5",
    ]);
    expect((await save({ Used: 4 })).body.result[1].PresetValueError).toBeNull();
  });

  test('starts no calculation by its schedule where a rule is broken', async ({
    portal,
    rules: { published, ended },
  }) => {
    const { made, save } = await published('Scheduled');
    await save({ Most: 30, Used: 25 });
    const parts = portal.app;
    const { database } = parts;
    // Simulates a rule that the workbook added later: such a preset can no longer be saved manually.
    await database.knex('ActivityParameters').where('Id', inputOf(made, 'Used').Id).update({ PresetValue: '31' });
    const { UserId } = portal.runner;
    const NextTime = new Date(Date.now() - 1000);
    const plan = { ScheduleType: 'Daily', TimeOfDay: 0.5, RetryCount: 0, RetryInterval: 0, TimeZone: 'UTC', NextTime };
    await database.knex('ActivitySchedules').insert({ ActivityId: made.Id, UserId, ...plan });
    const log = pino({ level: 'silent' });
    const starter = parts.scheduleStarter;
    const scheduler = createScheduler({
      database,
      starter,
      workflowStarter: parts.workflowScheduleStarter,
      timeZone: 'UTC',
      log,
      signals: portal.app.signals,
    });
    await scheduler.tick();
    const [run] = await database.knex('ActivityRuns').where('ActivityId', made.Id).select('Id');
    const { Status, LogEntries, Outputs } = await ended((run as { Id: number }).Id);
    expect([Status, Outputs.map(({ Value }) => Value)]).toEqual(['Failed', [null]]);
    expect(LogEntries.map(({ Message }) => Message)).toContain("Input 'Used': Value must be less than 30");
  });
});

describe('a preset', () => {
  test('that breaks a rule is reported when it is saved', async ({ rules: { save } }) => {
    expect((await save('Years', 41)).body).toEqual({
      message: 'Invalid preset values for Years',
      modelState: { Years: ['Value must be between 1 and 40'] },
    });
    expect((await save('Years', 40)).status).toBe(200);
    await save('Years', null);
  });

  test('that breaks a rule by the values of others refuses the start', async ({ rules: { save, start } }) => {
    expect((await save('Grace', 30)).status).toBe(200);
    expect((await start({})).body.modelState).toEqual({ Grace: ['Value must be at most 20'] });
    expect((await start({ Years: 30 })).status).toBe(200);
    await save('Grace', null);
  });
});

test('what cannot be enforced is among the findings of the version', async ({ portal, rules: { activity } }) => {
  const { body } = await portal.call('GET', `fidelity/${activity.Id}/1`, undefined, portal.editor.headers);
  const { Findings = [] } = body.result as FidelityReport;
  expect(Findings.map(({ Cell }) => Cell)).toEqual(['B11', 'B12']);
});
