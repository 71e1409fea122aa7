/** Schedules, triggers, alerts and settings of activities as files, from one portal to another. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'vitest';
import type { ChecklistPortal, User } from '#test/support/checklist-portal.ts';
import { openInstallation } from '#test/support/cli-installation.ts';
import { createUser, signedInUser } from '#test/support/users.ts';

const ADMIN = ['sk.EditChecklist', 'sk.EditActivity', 'sk.RunActivity', 'sk.ViewRuns'] as const;

/** A portal with a holiday calendar, and a person who can be notified. Ids differ between the portals. */
async function prepared(portal: ChecklistPortal, before: number): Promise<User> {
  const { knex } = portal.app.database;
  for (let count = 0; count < before; count++) {
    await createUser(portal.app);
    await knex('HolidayCalendars').insert({ Name: `Other ${count}`, Weekend: '67' });
  }
  await createUser(portal.app, { userName: 'chief' });
  await knex('HolidayCalendars').insert({ Name: 'Germany', Weekend: '67' });
  return signedInUser(portal.app, [...ADMIN]);
}

const test = base
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'runsheet-settings-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  .extend('staging', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const installation = await openInstallation(folder, (portal) => prepared(portal, 0));
    onCleanup(() => installation.portal.close());
    return installation;
  })
  .extend('production', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const installation = await openInstallation(folder, (portal) => prepared(portal, 3));
    onCleanup(() => installation.portal.close());
    return installation;
  });

const FILES: Record<string, string> = {
  'close.workflow.yaml': `apiVersion: runsheet/v1
kind: Workflow
schema: Finance
name: Close
steps:
  - kind: Activity
    key: close
    name: Close
    activity: { schema: Finance, name: Close }
`,
  'first.schedule.yaml': `apiVersion: runsheet/v1
kind: Schedule
workflow: { schema: Finance, name: Close }
name: First
plan:
  kind: MonthlyBusinessDay
  time: "06:30"
  businessDay: 1
  fromEnd: false
timeZone: Europe/Berlin
calendar: Germany
retryCount: 2
retryInterval: 15
`,
  'then.trigger.yaml': `apiVersion: runsheet/v1
kind: Trigger
workflow: { schema: Finance, name: Close }
name: Then
plan:
  kind: Ended
  source: Activity
  of: { schema: Finance, name: Collect }
  outcomes:
    - Succeeded
timeZone: UTC
`,
  'failed.alert.yaml': `apiVersion: runsheet/v1
kind: Alert
workflow: { schema: Finance, name: Close }
name: Failed
condition:
  kind: Outcome
  statuses:
    - Failed
receivers:
  users:
    - chief
  byBell: true
  byMail: false
`,
};

test('a workflow with its schedule, trigger and alert is the same in both portals, and the files as well', async ({
  folder,
  staging,
  production,
}) => {
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text);
  const planned = await staging.runsheet('workflows', 'plan', folder);
  expect(planned).toMatchObject({ code: 0, err: '' });
  expect(planned.out).toContain('4 to create, 0 to change, 0 unchanged');
  for (const { runsheet } of [staging, production]) {
    expect(await runsheet('workflows', 'apply', folder)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('4 created, 0 changed, 0 unchanged'),
    });
    expect(await runsheet('workflows', 'apply', folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 created, 0 changed, 4 unchanged'),
    });
  }
  const again = join(folder, 'again');
  expect((await production.runsheet('workflows', 'export', 'Close', '--folder', again)).code).toBe(0);
  const written = await readdir(again);
  expect(written.toSorted()).toEqual(Object.keys(FILES).toSorted());
  for (const name of written) expect(await readFile(join(again, name), 'utf8')).toBe(FILES[name]);
  const rows = await production.portal.app.database.knex('Timetables').select('Name', 'PlanText', 'RetryInterval');
  expect(rows).toEqual([
    {
      Name: 'First',
      PlanText: JSON.stringify({ Kind: 'MonthlyBusinessDay', TimeOfDay: 390 / 1440, BusinessDay: 1, FromEnd: false }),
      RetryInterval: 15,
    },
  ]);
});

test('what differs is named and changed, in the same schedule, trigger or alert', async ({ folder, production }) => {
  const { portal, runsheet } = production;
  const path = join(folder, 'changed.yaml');
  const { knex } = portal.app.database;
  const counts = async () => [
    await knex('Timetables').pluck('Id'),
    await knex('Triggers').pluck('Id'),
    await knex('Alerts').pluck('Id'),
  ];
  const before = await counts();
  const change = async (name: string, from: string, to: string) => {
    await writeFile(path, FILES[name]!.replace(from, to));
    const { out, err } = await runsheet('workflows', 'apply', path);
    return [err, out.split('\n')[1]];
  };
  expect(await change('first.schedule.yaml', '06:30', '07:45')).toEqual(['', '    ~ plan.time: "06:30" → "07:45"']);
  expect(await change('first.schedule.yaml', 'calendar: Germany', 'calendar: Other 1')).toEqual([
    '',
    '    ~ plan.time: "07:45" → "06:30"',
  ]);
  expect(await change('then.trigger.yaml', 'name: Collect', 'name: Report')).toEqual([
    '',
    '    ~ plan.of.name: "Collect" → "Report"',
  ]);
  expect(await change('failed.alert.yaml', 'byMail: false', 'byMail: true')).toEqual([
    '',
    '    ~ receivers.byMail: false → true',
  ]);
  expect(await counts()).toEqual(before);
});

test.for([
  [
    'first.schedule.yaml',
    'calendar: Germany',
    'calendar: Nowhere',
    11,
    "There is no holiday calendar 'Nowhere' here. Create it first.",
  ],
  [
    'first.schedule.yaml',
    'name: Close',
    'name: Gone',
    3,
    "There is no workflow or checklist 'Gone' in the schema Finance that you may see.",
  ],
  ['first.schedule.yaml', 'Europe/Berlin', 'Europe/Nowhere', 1, ''],
  [
    'first.schedule.yaml',
    'businessDay: 1',
    'businessDay: 99',
    8,
    'businessDay must be a whole number from 1 to 15, not 99.',
  ],
  [
    'then.trigger.yaml',
    'name: Collect',
    'name: Gone',
    8,
    "There is no activity 'Gone' in the schema Finance that you may see.",
  ],
  [
    'failed.alert.yaml',
    '- chief',
    '- nobody',
    11,
    "There is no user 'nobody' here who can be notified. Correct the name.",
  ],
] as const)(
  '%s is refused with %s as %s',
  async ([name, from, to, line, says], { folder, production: { runsheet } }) => {
    const path = join(folder, 'wrong.yaml');
    await writeFile(path, FILES[name]!.replace(from, to));
    expect((await runsheet('workflows', 'apply', path)).err).toContain(`${path}:${line}: ${says}`);
  },
);

test('settings of an activity are changed as its file says, and nothing else of it is', async ({
  folder,
  staging,
  production: { runsheet, portal },
}) => {
  const settings = join(folder, 'activity');
  expect((await staging.runsheet('workflows', 'export', 'Collect', '--activity', '--folder', settings)).out).toBe(
    'collect.settings.yaml\n',
  );
  const path = join(settings, 'collect.settings.yaml');
  const text = await readFile(path, 'utf8');
  expect((await runsheet('workflows', 'plan', path)).out).toContain(
    '= ActivitySettings Finance/Collect: no difference',
  );
  await writeFile(path, `${text}description: From a file\ngroup: Loans\norder: 3\n`);
  expect((await runsheet('workflows', 'apply', path)).out).toContain('~ ActivitySettings Finance/Collect: 3 changes');
  expect((await runsheet('workflows', 'plan', path, '--check')).code).toBe(0);
  const [row] = await portal.app.database
    .knex('Activities')
    .where('Name', 'Collect')
    .select('Description', 'Group', 'Order', 'Version');
  expect(row).toEqual({ Description: 'From a file', Group: 'Loans', Order: 3, Version: 1 });
});
