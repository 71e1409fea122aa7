/**
 * Schedules, triggers and alerts over time: missed and late times, overlapping runs, changed rows. The test changes the
 * portal's database to make things due.
 */
import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { signedHeaders } from '#server/automation/deliveries/signature.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { compareWithPrevious } from './support/run-page.ts';
import { automationPortal } from './support/automation-portal.ts';
import { outcome, tick } from './support/controls.ts';
import { expectGoodScreen as expectGoodScreenOf } from './support/good-screen.ts';
import { publish } from './support/publish.ts';

const made = automationPortal();
const expectGoodScreen = (name: string) => expectGoodScreenOf(made.browser, name, { isWholePage: true });

/** Inserts a user directly into the database. */
async function insertPerson(
  UserName: string,
  more: { Enabled?: boolean; IsUserAdmin?: boolean } = {},
): Promise<number> {
  const person = { UserName, UserNameKey: UserName, Source: 'Local', FirstName: UserName, LastName: 'Gone', ...more };
  const [row] = await made.database.knex('Users').insert(person).returning('UserId');
  return (row as { UserId: number }).UserId;
}

test('a schedule with dates of the day and a limit of what is made up for says what became of its times, and why it was paused', async () => {
  const { page } = made.browser;
  const { knex } = made.database;
  await page.goto(`${made.portal.address}/activities/schedule/further/${made.id}`);
  await page.getByRole('button', { name: 'Add schedule' }).click();
  const form = page.getByRole('form', { name: 'Schedule' });
  await form.getByLabel('Name', { exact: true }).fill('Closing');
  await form.getByLabel('Time zone').fill('UTC');
  await form.getByLabel('Day', { exact: false }).last().fill('someday');
  await form.getByLabel('Start missed occurrences').selectOption('All');
  await form.getByLabel('At most').fill('50');
  await form.getByLabel('Retry Attempts').fill('-1');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByText('Enter a whole number from 1 to 20').first().waitFor();
  await form.getByText('Enter a whole number from 0 to 100').first().waitFor();
  await form.getByText('Day is not a date').first().waitFor();
  await form.getByLabel('Day', { exact: false }).last().fill('last month end');
  await form.getByLabel('At most').fill('2');
  await form.getByLabel('Retry Attempts').fill('0');
  const occurrences = form.getByRole('list', { name: 'Next occurrences' }).getByRole('listitem');
  await occurrences
    .filter({ hasText: /^Mon .* 06:00 Day: (28|29|30|31)\/\w{3}\/\d{4}$/ })
    .first()
    .waitFor();
  await expectGoodScreen('schedule-dates');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Next run').waitFor();

  const { Id, NextTime } = await knex('Timetables').where('Name', 'Closing').first('Id', 'NextTime');
  const weeksBefore = (weeks: number): Date => new Date((NextTime as Date).getTime() - weeks * 7 * 86_400_000);
  await knex('Timetables')
    .where({ Id })
    .update({ NextTime: weeksBefore(3) });
  await expect.poll(() => knex('TimetableSlots').where('TimetableId', Id).pluck('Outcome')).toHaveLength(3);
  await page.reload();
  await page.getByText('Past occurrences').click();
  const times = page.getByRole('list', { name: 'Past occurrences of Closing' }).getByRole('listitem');
  const countOf = (outcome: string, why: string) => (): Promise<number> =>
    times.filter({ hasText: outcome }).filter({ hasText: why }).count();
  await expect.poll(countOf('Missed', 'No server was running')).toBe(1);
  await expect.poll(countOf('Started', 'Starts late')).toBe(2);
  await expectGoodScreen('schedule-times');

  const gone = await insertPerson('ben', { Enabled: false });
  // Makes one of those weeks due again: the schedule must not remember that occurrence.
  await knex('TimetableSlots').where('TimetableId', Id).delete();
  await knex('Timetables')
    .where({ Id })
    .update({ UserId: gone, NextTime: weeksBefore(1) });
  await expect
    .poll(async () => (await knex('Timetables').where({ Id }).first('PausedReason')).PausedReason)
    .not.toBe(null);
  await page.reload();
  await page
    .getByText(/^The portal paused this schedule: .*If you save it again, it resumes and runs under your name\.$/)
    .waitFor();
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page
    .getByRole('link', { name: /is disabled/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit Closing' }).click();
  await form.getByRole('button', { name: 'Update' }).click();
  await page.getByText('Next run').waitFor();
  expect(await page.getByText('The portal paused this schedule').count()).toBe(0);
});

test('an alert on lateness says what prevents saving it, fires, and escalates if nobody has opened it', async () => {
  const { page } = made.browser;
  const { knex } = made.database;
  await insertPerson('grace', { Enabled: true, IsUserAdmin: true });
  await page.goto(`${made.portal.address}/activities/alerts/${made.id}`);
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog');
  const people = (of: string) => dialog.getByRole('group', { name: of, exact: true });
  const save = (): Promise<void> => dialog.getByRole('button', { name: 'Save' }).click();
  const refused = (why: string, where: Locator = dialog): Promise<void> =>
    where.getByText(why, { exact: true }).waitFor();
  await dialog.getByLabel('Name').fill('Not there by eight');
  await dialog.getByLabel('When').selectOption({ label: 'No run has succeeded by a certain time' });
  await dialog.getByLabel('Time zone').fill('UTC');
  await save();
  await refused('Choose who is notified', people('Who is notified'));
  await tick(people('Who is notified').getByLabel(`(${made.portal.userName})`));
  const mail = people('Who is notified').getByLabel('By email (this portal sends none)');
  expect(await mail.isChecked()).toBe(false);
  await tick(mail);
  await tick(people('Who is notified').getByLabel('Bell in the portal'), false);
  await save();
  await refused('This portal does not send email: choose the bell for the recipients');
  await tick(people('Who is notified').getByLabel('Bell in the portal'));
  await dialog.getByLabel('Escalate after (minutes)').fill('0');
  await save();
  await refused('Enter after how many minutes the next people are notified: 1 to 10,080');
  await dialog.getByLabel('Escalate after (minutes)').fill('15');
  await save();
  await refused('Choose who is notified next', people('Notified next'));
  await tick(people('Notified next').getByLabel('(grace)'));
  await expectGoodScreen('alert-late');
  await save();
  await page.getByText('No run has succeeded by 08:00 (UTC), Mon, Tue, Wed, Thu, Fri').waitFor();
  await page.getByText(/; after 15 minutes, grace Gone$/).waitFor();

  const yesterday = new Date(Date.now() - 86_400_000).setUTCHours(8, 0, 0, 0);
  await knex('Alerts').update({ NextTime: new Date(yesterday) });
  const day = new Date(yesterday).toISOString().slice(0, 10);
  await page.getByText(`No run succeeded by 08:00 on ${day} (UTC)`).waitFor();
  await page.getByText('1 notified', { exact: true }).waitFor();
  await knex('AlertFirings').update({ EscalateTime: knex.fn.now() });
  await page.getByText('2 notified', { exact: true }).waitFor();
  await expectGoodScreen('alert-escalated');
});

test('where two runs have read other rows, their comparison names the step that did', async () => {
  const { page } = made.browser;
  const book = {
    sheets: [
      {
        name: 'S',
        cells: { A1: 'Id', A2: 0, C1: { formula: 'SUM(Orders[Id])', value: 0 } },
        tables: [{ name: 'Orders', ref: 'A1:A2', columns: ['Id'] }],
      },
      stepSheet([
        {
          Step: 'Read orders',
          Action: 'Query',
          Connection: 'Shop',
          Table: 'Orders',
          Query: 'select "Id" from "Orders" order by 1',
        },
      ]),
    ],
    names: { out_Sum: 'S!$C$1' },
  };
  const activity = await publish(made.browser, made.portal, { Name: 'Open orders', workbook: book });
  const start = async (): Promise<void> => {
    await page.goto(`${made.portal.address}/activities/run/${activity}/`);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await outcome(page, 'The run was successful').waitFor();
  };
  const compare = (): Promise<void> => compareWithPrevious(page);
  await start();
  await made.shop.knex('Orders').insert({ Id: 40 });
  await start();
  await compare();
  const why = page.getByRole('note').filter({ hasText: 'The outputs differ' });
  await why.getByText(/^The outputs differ\. Also different: data read by the step Read orders\./).waitFor();
  await page.getByRole('row', { name: /^Sum 3 43 ?\+40 .* differs$/ }).waitFor();
  await expectGoodScreen('compare-rows');
  await start();
  await compare();
  await page.getByText('All inputs and outputs are the same.').waitFor();
  expect(await why.count()).toBe(0);
});

/** Its runs do not end while another transaction locks the table they read. */
const heldBook = {
  sheets: [
    {
      name: 'S',
      cells: { A1: 'One', A2: 0, C1: { formula: 'SUM(Held[One])', value: 0 } },
      tables: [{ name: 'Held', ref: 'A1:A2', columns: ['One'] }],
    },
    stepSheet([
      {
        Step: 'Read the table',
        Action: 'Query',
        Connection: 'Shop',
        Table: 'Held',
        Query: 'select "One" from "Held"',
      },
    ]),
  ],
  names: { out_Sum: 'S!$C$1' },
};

test('while the previous run is in progress, a schedule waits, skips or starts anyway, a trigger keeps its events, and an alert says that it takes long', async () => {
  const { page } = made.browser;
  const { knex } = made.database;
  const held = await publish(made.browser, made.portal, {
    Name: 'Held',
    workbook: heldBook,
    hasSimultaneousRuns: true,
  });
  // Earlier runs, which define the usual duration.
  const model = { ActivityId: held, ActivityVersion: 1, Status: 'Succeeded', UserId: 1, MemoryCost: 0 };
  const now = Date.now();
  const ago = (seconds: number): Date => new Date(now - seconds * 1000);
  const quick = { ...model, QueueTime: ago(601), PickupTime: ago(601), StartTime: ago(601), EndTime: ago(600) };
  await knex('ActivityRuns').insert(Array.from({ length: 5 }, () => quick));
  await made.shop.knex.schema.createTable('Held', (t) => void t.integer('One'));
  const lock = await made.shop.knex.transaction();
  onTestFinished(async () => {
    if (!lock.isCompleted()) await lock.rollback();
  });
  await lock.raw('lock table "Held" in access exclusive mode');

  await page.goto(`${made.portal.address}/activities/schedule/further/${held}`);
  const form = page.getByRole('form', { name: 'Schedule' });
  const rules = { Waiting: 'Wait until it has ended', Leaving: 'Skip this one', Both: 'Start anyway' };
  for (const [name, label] of Object.entries(rules)) {
    await page.getByRole('button', { name: 'Add schedule' }).click();
    await form.getByLabel('Name', { exact: true }).fill(name);
    await form.getByLabel('If the previous run has not ended').selectOption({ label });
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: `Edit ${name}` }).waitFor();
  }
  const storedOccurrences = knex('TimetableSlots as T')
    .join('Timetables as S', 'S.Id', 'T.TimetableId')
    .where('S.ActivityId', held);
  const become = async (): Promise<string[]> =>
    ((await storedOccurrences.clone().select('S.Name', 'T.Outcome')) as { Name: string; Outcome: string }[])
      .map(({ Name, Outcome }) => `${Name}: ${Outcome}`)
      .toSorted();
  const [{ NextTime }] = (await knex('Timetables').where('ActivityId', held).select('NextTime')) as [
    { NextTime: Date },
  ];
  const due = new Date(NextTime.getTime() - 7 * 86_400_000);
  await knex('Timetables').where('ActivityId', held).update({ NextTime: due });
  await expect.poll(become).toEqual(['Both: Started', 'Leaving: Started', 'Waiting: Started']);
  const runOf = async (name: string): Promise<number> =>
    ((await storedOccurrences.clone().where('S.Name', name).first('T.RunId')) as { RunId: number }).RunId;
  const [waitedRun, skippedRun] = [await runOf('Waiting'), await runOf('Leaving')];
  // Makes the same week come again.
  await knex('TimetableSlots').delete();
  await knex('Timetables').where('ActivityId', held).update({ NextTime: due });
  await expect.poll(become).toEqual(['Both: Started', 'Leaving: LeftOut']);
  await expect.poll(() => knex('Timetables').where('IsWaiting', true).pluck('Name')).toEqual(['Waiting']);
  await page.reload();
  await page.getByText(`It waits for run ${waitedRun}, which it started earlier, to end.`).waitFor();
  await page.getByRole('region', { name: 'Leaving' }).getByText('Past occurrences').click();
  await page.getByText(`Run ${skippedRun}, which the schedule started before, had not ended`).waitFor();
  await expectGoodScreen('schedule-overlap');
  await page.goto(`${made.portal.address}/schedules`);
  const all = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem');
  await all
    .filter({ hasText: 'Waiting:' })
    .getByText(`It waits for run ${waitedRun}, which it started earlier, to end.`)
    .waitFor();
  expect(await all.filter({ hasText: /Due: / }).allInnerTexts()).toEqual([expect.stringContaining('Waiting:')]);
  await all
    .filter({ hasText: 'Leaving:' })
    .getByText(`Run ${skippedRun}, which the schedule started before, had not ended`)
    .waitFor();
  await expectGoodScreen('schedules-why');

  await page.goto(`${made.portal.address}/activities/triggers/${held}`);
  await page.getByRole('button', { name: 'Add trigger' }).click();
  const trigger = page.getByRole('form', { name: 'Trigger' });
  await trigger.getByLabel('Name', { exact: true }).fill('Calls');
  await trigger.getByLabel('It starts when').selectOption('Webhook');
  await trigger.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = await page.getByRole('status').locator('code').innerText();
  const address = await page.locator('.rs-trigger-address').innerText();
  const send = async (id: string): Promise<{ Outcome: string; RunId: number | null }> => {
    const headers = { 'content-type': 'application/json', ...signedHeaders([secret], id, '{}') };
    const answer = await fetch(address, { method: 'POST', body: '{}', headers });
    return ((await answer.json()) as { result: { Outcome: string; RunId: number | null } }).result;
  };
  const first = await send('held_1');
  expect(first.Outcome).toBe('Started');
  expect(await send('held_2')).toMatchObject({ Outcome: 'Waiting', RunId: null });
  await page.reload();
  await page
    .getByText(`The next start waits until run ${first.RunId}, which this trigger started before, has ended.`)
    .waitFor();
  await expectGoodScreen('trigger-waits');

  await page.goto(`${made.portal.address}/activities/alerts/${held}`);
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Slow');
  await dialog.getByLabel('When').selectOption({ label: 'It takes longer than usual' });
  await dialog.getByLabel('Times the usual duration').fill('0.5');
  await tick(
    dialog.getByRole('group', { name: 'Who is notified', exact: true }).getByLabel(`(${made.portal.userName})`),
  );
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter how many times as long as usual: a number from 1 to 1,000').waitFor();
  await dialog.getByLabel('Times the usual duration').fill('2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Takes more than 2 times as long as usual').waitFor();
  await page
    .getByText(/^The run has been running for .*; 95% of the last runs took 1 s or less$/)
    .first()
    .waitFor();
  await expectGoodScreen('alert-long');

  await lock.commit();
  await expect.poll(become).toEqual(['Both: Started', 'Leaving: LeftOut', 'Waiting: Started']);
  const waiting = knex('TriggerEvents').where({ Outcome: 'Waiting' });
  await expect.poll(() => waiting.clone().pluck('Id')).toEqual([]);
  await expect.poll(() => knex('ActivityRuns').where('ActivityId', held).whereNull('EndTime').pluck('Id')).toEqual([]);
  await page.goto(`${made.portal.address}/activities/schedule/further/${held}`);
  await page.getByText('Past occurrences').nth(2).waitFor();
  expect(await page.getByText('It waits for').count()).toBe(0);
  expect(await page.getByText(/^Due /).count()).toBe(0);
});
