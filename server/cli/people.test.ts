/** The command line's schedules, users and rights, against a portal. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test as base } from '#test/support/fixtures/run-portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { bearer, createUser, signedInUser, signIn } from '#test/support/users.ts';
import { runCommand } from './program.ts';

const test = base.extend('commandLine', { scope: 'file', auto: true }, async ({ portal }, { onCleanup }) => {
  async function runsheet(args: string[], file?: string): Promise<{ code: number; out: string; err: string }> {
    if (file !== undefined) await writeFile(join(folder, 'given.csv'), file);
    const [out, err]: string[][] = [[], []];
    const terminal = { print: (text: string) => out!.push(text), printMessage: (text: string) => err!.push(text), env };
    const code = await runCommand(args, terminal);
    return { code, out: out!.map((line) => `${line}\n`).join(''), err: err!.join('\n') };
  }

  const given = (): string => join(folder, 'given.csv');
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-people-'));
  const { app } = portal;
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  const rights = ['sk.ManageUsers', 'sk.ManageRoles', 'sk.ManageRights', 'sk.EditActivity', 'sk.RunActivity'] as const;
  const { headers, UserId } = await signedInUser(app, [...rights]);
  await app.database.knex('Users').where({ UserId }).update({ IsUserAdmin: true });
  const activity = await app.database.knex('Activities').where('Id', portal.ActivityId).first('Id', 'Name', 'Schema');

  const env = {
    HOME: folder,
    RUNSHEET_PORTAL: `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`,
    RUNSHEET_API_KEY: headers.authorization.replace('Bearer ', ''),
  };

  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return { folder, activity, runsheet, given, env };
});

test('users are made, changed, disabled and put into roles by a file, which may be imported again', async ({
  portal,
  commandLine: { folder, runsheet, given },
}) => {
  const { knex } = portal.app.database;
  await knex('Roles').insert([
    { Name: 'Controllers', IsActive: true },
    { Name: 'Treasury', IsActive: true },
  ]);
  const file =
    'UserName;FirstName;LastName;Enabled;Roles\nanna;Anna;"Meier; Dr.";;controllers|Treasury\nbert;Bert;=1+1;no;\n';
  await writeFile(join(folder, 'new.csv'), file);
  const trial = await runsheet(['users', 'import', join(folder, 'new.csv'), '--dry-run']);
  expect([trial.code, trial.out]).toEqual([
    0,
    'New: anna\nAdded to Controllers: anna\nAdded to Treasury: anna\nNew: bert\nDisabled: bert\n',
  ]);
  expect(await knex('Users').whereIn('UserName', ['anna', 'bert'])).toEqual([]);

  const done = await runsheet(['users', 'import', join(folder, 'new.csv')]);
  expect([done.code, done.err]).toEqual([0, '']);
  expect(done.out).toMatch(/anna must set a password within a day at http:\/\/127\.0\.0\.1:\d+\/\S+\nNew: anna\n/);
  expect(await knex('Users').where('UserName', 'bert').first('LastName', 'Enabled')).toMatchObject({
    LastName: '=1+1',
    Enabled: false,
  });
  expect((await runsheet(['users', 'import', join(folder, 'new.csv')])).out).toBe('Nothing to change\n');

  const written = await runsheet(['users', 'export', join(folder, 'all.csv')]);
  expect(written.code).toBe(0);
  expect((await stat(join(folder, 'all.csv'))).mode & 0o777).toBe(0o600);
  const text = await readFile(join(folder, 'all.csv'), 'utf8');
  // Must not become a formula when the file is opened.
  expect(text).toContain("bert,Bert,,'=1+1,");
  expect(text).toContain('Controllers|Treasury');
  expect((await runsheet(['users', 'import', join(folder, 'all.csv')])).out).toBe('Nothing to change\n');
  expect((await runsheet(['users', 'export', join(folder, 'all.csv')])).err).toContain('all.csv already exists');

  const change = await runsheet(['users', 'import', given()], 'UserName,LastName,Roles\nANNA,Huber,Treasury\n');
  expect(change.out).toBe('Changed: ANNA (LastName)\nRemoved from Controllers: ANNA\n');
  const anna = await knex('Users').where('UserName', 'anna').first();
  expect(anna).toMatchObject({ FirstName: 'Anna', LastName: 'Huber', Enabled: true });
});

test('a file that an API key may not import is refused whole, also by a trial', async ({
  portal,
  commandLine: { runsheet, given, env },
}) => {
  const { knex } = portal.app.database;
  const Email = 'known@example.org';
  const { UserId } = await createUser(portal.app, { userName: 'known' });
  await knex('Users').where({ UserId }).update({ Email });
  const owner = await createUser(portal.app, {
    userName: 'keeper',
    rights: ['sk.ManageUsers', 'sk.ManageUserPasswords'],
  });
  const made = await portal.app.http.inject({
    method: 'POST',
    url: `/api/users/apikeys/create/${owner.UserId}`,
    headers: bearer(await signIn(portal.app, owner)),
    payload: { Name: 'import', Scope: 'All' },
  });
  const session = env.RUNSHEET_API_KEY;
  env.RUNSHEET_API_KEY = made.json().result.Key;
  try {
    for (const trial of [['--dry-run'], []]) {
      const fresh = await runsheet(
        ['users', 'import', given(), ...trial],
        'UserName,FirstName\nknown,Karl\nfresh,Fred\n',
      );
      expect(fresh.err).toContain('line 3: fresh is new. This portal sends no mail');
      const moved = await runsheet(['users', 'import', given(), ...trial], 'UserName,Email\nknown,other@example.org\n');
      expect(moved.err).toContain(
        'line 2: the line changes the mail address of known, which is not allowed with an API key',
      );
      expect([fresh.code, moved.code]).toEqual([2, 2]);
    }
    expect(await knex('Users').where({ UserId }).first('FirstName', 'Email')).toMatchObject({ Email });
    expect(await knex('Users').where('UserName', 'fresh')).toEqual([]);
    const named = await runsheet(['users', 'import', given()], 'UserName,LastName\nknown,Kunze\n');
    expect([named.code, named.out]).toEqual([0, 'Changed: known (LastName)\n']);
  } finally {
    env.RUNSHEET_API_KEY = session;
  }
});

test.for([
  ['UserName,Wage\na,1\n', 'there is no column "Wage"'],
  ['FirstName\nA\n', 'the column UserName is missing'],
  ['UserName,Roles\nnew-one,Treasury\nnew-two,Nobodies\n', 'line 3: there is no role "Nobodies"'],
  ['UserName\nnew-one\nNEW-ONE\n', 'line 3: NEW-ONE is in line 2 already'],
  ['UserName,Enabled\nnew-one,perhaps\n', 'line 2, Enabled: "perhaps" is neither yes nor no'],
  ['UserName,Source\nnew-one,Local\nnew-two,Moon\n', 'line 3: Source must be Local, AD or SSO'],
] as const)(
  'changes nothing if the file of users has a problem: %j',
  async ([file, said], { portal, commandLine: { runsheet, given } }) => {
    const { code, err } = await runsheet(['users', 'import', given()], file);
    expect(code).toBe(2);
    expect(err).toContain(said);
    expect(await portal.app.database.knex('Users').where('UserName', 'like', 'new-%')).toEqual([]);
  },
);

test('rights are granted, denied and taken back by a file, and only of what has the name that it says', async ({
  portal,
  commandLine: { activity, runsheet, given, folder },
}) => {
  const { knex } = portal.app.database;
  await knex('Roles').insert({ Name: 'Analysts', IsActive: true });
  const { Id, Name } = activity;
  const rows = [
    'Right,KeyColumn,Key,Name,User,Role,Access',
    'sk.ViewRuns,,,,,analysts,granted',
    `sk.RunActivity,Id,${Id},"${Name}",,Analysts,denied`,
  ];
  const done = await runsheet(['rights', 'import', given()], rows.join('\n'));
  expect([done.code, done.err, done.out]).toEqual([
    0,
    '',
    `Granted: sk.ViewRuns, Analysts\nDenied: sk.RunActivity (Id ${Id}), Analysts\n`,
  ]);
  expect((await runsheet(['rights', 'import', given()], rows.join('\n'))).out).toBe('Nothing to change\n');
  expect((await runsheet(['rights', 'export', join(folder, 'rights.csv')])).code).toBe(0);
  const text = await readFile(join(folder, 'rights.csv'), 'utf8');
  expect(text).toContain('sk.ViewRuns,,,,,Analysts,granted\n');
  expect(text).toContain(`sk.RunActivity,Id,${Id},${Name},,Analysts,denied\n`);
  expect((await runsheet(['rights', 'import', join(folder, 'rights.csv')])).out).toBe('Nothing to change\n');

  const other = await runsheet(
    ['rights', 'import', given()],
    rows.with(1, 'sk.ViewRuns,,,,,Analysts,none').join('\n').replace(`"${Name}"`, 'Another'),
  );
  expect(other.code).toBe(2);
  expect(other.err).toContain(`Id ${Id} is "${Name}" here, not "Another"`);
  const back = await runsheet(['rights', 'import', given()], `${rows[0]}\nsk.ViewRuns,,,,,Analysts,none\n`);
  expect(back.out).toBe('Removed: sk.ViewRuns, Analysts\n');
  const wrong = await runsheet(['rights', 'import', given()], `${rows[0]}\nsk.ViewRuns,,,,somebody,Analysts,granted\n`);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('line 2: name either a user or a role')]);
  const unknown = await runsheet(['rights', 'import', given()], `${rows[0]}\nsk.ViewRuns,,,,,Analysts,constructor\n`);
  expect([unknown.code, unknown.err]).toEqual([
    2,
    expect.stringContaining('line 2: Access must be granted, denied or none, not "constructor"'),
  ]);
});

test('a schedule is set, shown, paused, resumed and removed', async ({ portal, commandLine: { runsheet } }) => {
  const { app } = portal;
  const Id = await portal.publish({ Name: 'Nightly', definition: EMPTY_DEFINITION });
  const activity = await app.database.knex('Activities').where({ Id }).first('Id', 'Name');

  const set = await runsheet(['schedule', activity.Name, '--at', '6:30', '--retries', '2']);
  expect([set.code, set.err]).toEqual([0, '']);
  expect(set.out).toMatch(/ runs daily at 06:30 \(.*\), as .*\nRetried 2 times, after 10 minutes\nNext: /);
  expect((await runsheet(['schedule', activity.Name, '--retry-minutes', '5'])).out).toMatch(
    /06:30[^]*2 times, after 5 minutes/,
  );
  expect((await runsheet(['schedules'])).out).toMatch(
    new RegExp(`Number +Kind +Name.*\\n${activity.Id} +Activity +${activity.Name} `),
  );
  // Each leaves the other's option unchanged: none of two commands at the same time undoes the other.
  const changes = [
    { args: ['--retries', '3'], shown: '3 times' },
    { args: ['--retry-minutes', '7'], shown: 'after 7 minutes' },
  ];
  const made = await Promise.all(changes.map(({ args }) => runsheet(['schedule', activity.Name, ...args])));
  const { out } = await runsheet(['schedule', activity.Name]);
  for (const [at, { code, err }] of made.entries())
    if (code === 0) expect(out).toContain(changes[at]!.shown);
    else expect(err).toContain('after you opened it. Nothing was saved.');
  expect((await runsheet(['schedule', activity.Name, '--pause'])).out).toContain('Paused since');
  expect((await runsheet(['schedule', activity.Name, '--resume'])).out).toContain('Next: ');
  expect((await runsheet(['schedule', activity.Name, '--resume', '--remove'])).code).toBe(2);
  expect((await runsheet(['schedule', activity.Name, '--at', '24:00'])).code).toBe(2);
  expect((await runsheet(['schedule', activity.Name, '--remove'])).out).toBe(`${activity.Name} has no schedule\n`);
});
