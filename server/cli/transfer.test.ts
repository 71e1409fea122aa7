/** Copying activities from one portal to another with the command line. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'vitest';
import { createClient, type Client } from '#shared/client/client.ts';
import { findActivity } from '#shared/client/runs.ts';
import { updateActivity } from '#shared/contract/activities.ts';
import { updatePresetValues } from '#shared/contract/forms.ts';
import { writeLink, type LinkMapping } from '#shared/contract/links.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { startStepPortal, type StepPortal } from '#test/support/step-portal.ts';
import { createUser, signIn } from '#test/support/users.ts';
import { zipParts } from '#test/support/zip-parts.ts';
import { runCommand } from './program.ts';

const double = (factor: number) => ({
  sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: `A1*${factor}`, value: factor } } }],
  names: { in_Amount: 'S!$A$1', out_Double: 'S!$B$1' },
});

interface Installation {
  portal: StepPortal;
  client: Client;
  runsheet: (...args: string[]) => Promise<{ code: number; out: string; err: string }>;
}

async function open(folder: string): Promise<Installation> {
  const portal = await startStepPortal();
  await portal.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = `http://127.0.0.1:${(portal.app.http.server.address() as AddressInfo).port}`;
  const admin = await createUser(portal.app, { isUserAdmin: true });
  const token = await signIn(portal.app, admin);
  const env = { HOME: folder, RUNSHEET_PORTAL: address, RUNSHEET_API_KEY: token };
  return {
    portal,
    client: createClient({ address, token }),
    runsheet: async (...args) => {
      const [out, err]: string[][] = [[], []];
      const print = (text: string) => out!.push(`${text}\n`);
      const code = await runCommand(args, { print, printMessage: (text) => err!.push(`${text}\n`), env });
      return { code, out: out!.join(''), err: err!.join('') };
    },
  };
}

const test = base
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'runsheet-transfer-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  .extend(
    'inFolder',
    { scope: 'file' },
    ({ folder }) =>
      (name: string): string =>
        join(folder, name),
  )
  .extend('staging', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const installation = await open(folder);
    onCleanup(() => installation.portal.close());
    return installation;
  })
  .extend('production', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const installation = await open(folder);
    onCleanup(() => installation.portal.close());
    return installation;
  });

test('activities arrive with settings, presets and links, whatever their numbers are, and again as new versions alone', async ({
  staging,
  production,
  inFolder,
}) => {
  const { client } = staging;
  await staging.portal.publish(double(2), 'First');
  await staging.portal.publish(double(3), 'Second');
  await production.portal.publish(double(9), 'Something else');
  const [first, second] = [await findActivity(client, 'First'), await findActivity(client, 'Second')];
  await client.call(updateActivity, { body: { ...first, Description: 'Doubles', Group: 'Loans', Order: 7 } });
  const { Id } = first.Inputs[0]!;
  await client.call(updatePresetValues, { body: [{ Id, ActivityId: first.Id, PresetValue: '5' }] });
  const LinkInfo = JSON.stringify([{ source: first.Outputs[0]!.Id, target: second.Inputs[0]!.Id, ReadOnly: [true] }]);
  const link = { Id: 0, ActivityId: first.Id, LinkedActivityId: second.Id, Name: 'On', LinkInfo };
  await client.call(writeLink, { body: link });

  const written = await staging.runsheet('export', inFolder('all.zip'), 'First', 'Second');
  expect([written.code, written.out]).toEqual([0, `${inFolder('all.zip')} holds 2 activities and 0 workflows\n`]);
  const trial = await production.runsheet('import', inFolder('all.zip'), '--dry-run');
  expect(trial).toMatchObject({ code: 0, err: '' });
  expect(trial.out).toMatch(/First: new activity\n.*Second: new activity\n$/);
  expect((await production.runsheet('show', 'First')).code).toBe(3);

  expect(await production.runsheet('import', inFolder('all.zip'))).toMatchObject({ code: 0, err: '' });
  const there = await findActivity(production.client, 'First');
  expect(there).toMatchObject({ Version: 1, Description: 'Doubles', Group: 'Loans', Order: 7 });
  const linked = await findActivity(production.client, 'Second');
  expect(there.Inputs[0]!.PresetValue).toBe('5');
  expect(there.ActivityLinks).toMatchObject([{ Name: 'On', LinkedActivityId: linked.Id }]);
  const [mapping] = JSON.parse(there.ActivityLinks[0]!.LinkInfo) as LinkMapping[];
  expect(mapping).toEqual({ source: there.Outputs[0]!.Id, target: linked.Inputs[0]!.Id, ReadOnly: [true] });

  const again = await production.runsheet('import', inFolder('all.zip'));
  expect(again.out).toMatch(/First: the same workbook\n.*Second: the same workbook\n$/);
  await writeFile(inFolder('new.xlsx'), await buildWorkbook(double(4)));
  expect(
    await staging.runsheet('upload', inFolder('new.xlsx'), '--activity', 'First', '--change', 'By four'),
  ).toMatchObject({
    code: 0,
  });
  expect(await staging.runsheet('export', inFolder('more.zip'), '--all')).toMatchObject({ code: 0 });
  expect((await production.runsheet('import', inFolder('more.zip'))).out).toMatch(
    /First: new version 2\n.*the same workbook\n$/,
  );
  const after = await findActivity(production.client, 'First');
  expect([after.Version, after.ActivityLinks.length, after.Inputs[0]!.PresetValue]).toEqual([2, 1, '5']);
});

test('what is no export, or not whole, is refused before anything is done', async ({
  staging,
  production,
  inFolder,
}) => {
  const manifest = (text: object) => zipParts({ 'manifest.json': JSON.stringify(text) });
  const activity = {
    Name: 'A',
    Schema: 'S',
    Description: '',
    SingleRun: false,
    IsActive: true,
    Group: '',
    Function: '',
  };
  const whole = {
    ...activity,
    Order: null,
    MemoryCost: 0,
    FileName: 'a.xlsx',
    Path: 'workbooks/1',
    Presets: [],
    Links: [],
  };
  const wrong: [Buffer | string, RegExp][] = [
    ['no zip', /wrong\.zip is not a readable export of a portal: its end is missing, or it is no zip archive\. Copy/],
    [await zipParts({ 'other.json': '{}' }), /it has no manifest.json/],
    [await manifest({ Format: 2, From: null, Activities: [], Workflows: [] }), /from a newer version/],
    [await manifest({ Format: 1, From: null, Activities: [whole], Workflows: [] }), /the workbook of A is missing/],
    [
      await manifest({ Format: 1, From: null, Activities: [{ ...whole, Path: '../secret' }], Workflows: [] }),
      /cannot be read/,
    ],
  ];
  for (const [bytes, says] of wrong) {
    await writeFile(inFolder('wrong.zip'), bytes);
    const { code, err } = await production.runsheet('import', inFolder('wrong.zip'));
    expect([code, err]).toEqual([2, expect.stringMatching(says)]);
  }
  expect((await staging.runsheet('export', inFolder('wrong.zip'), 'First')).err).toContain('wrong.zip already exists');
});

test('a region that was chosen arrives with its workbook', async ({ staging, production, inFolder }) => {
  const file = inFolder('regional.xlsx');
  await writeFile(file, await buildWorkbook(double(5)));
  const made = ['upload', file, '--name', 'Regional', '--schema', 'Steps'];
  expect(await staging.runsheet(...made, '--region', 'de-XX')).toMatchObject({
    code: 2,
    err: expect.stringContaining('"de-XX" is not a region'),
  });
  expect(await staging.runsheet(...made, '--region', 'de-AT')).toMatchObject({ code: 0 });
  expect((await staging.runsheet('export', inFolder('regional.zip'), 'Regional')).code).toBe(0);
  expect((await production.runsheet('import', inFolder('regional.zip'))).out).toContain('new activity');
  const there = await findActivity(production.client, 'Regional');
  expect(there.WorkbookRegion).toEqual({ Id: 'de-AT', Source: 'Chosen' });
  expect((await production.runsheet('import', inFolder('regional.zip'))).out).toContain('the same workbook');
});
