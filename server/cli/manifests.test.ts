/** Workflows as files with the command line: from one portal to another, and what is refused. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'vitest';
import { openInstallation } from '#test/support/cli-installation.ts';
import { workflowEditing } from '#test/support/workflow-portal.ts';

const test = base
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'runsheet-manifests-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    return folder;
  })
  .extend('staging', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const installation = await openInstallation(folder);
    onCleanup(() => installation.portal.close());
    return installation;
  })
  .extend('production', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const installation = await openInstallation(folder);
    onCleanup(() => installation.portal.close());
    return installation;
  })
  .extend('close', { scope: 'file' }, async ({ folder, staging: { portal, runsheet } }) => {
    await workflowEditing(portal).edited();
    const path = join(folder, 'close.yaml');
    expect(await runsheet('workflows', 'export', 'Finance/Month-end close', '--output', path)).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    return path;
  });

test('a workflow is promoted from one portal to another, and again only where it differs', async ({
  folder,
  close,
  staging,
  production: { runsheet },
}) => {
  expect(await runsheet('workflows', 'validate', close)).toEqual({ code: 0, out: '1 file is valid\n', err: '' });
  const planned = await runsheet('workflows', 'plan', close, '--check');
  expect(planned).toEqual({
    code: 1,
    out: '+ Workflow Finance/Month-end close: new\n1 to create, 0 to change, 0 unchanged\n',
    err: '',
  });
  expect((await runsheet('workflows', 'apply', close)).out).toContain('1 created, 0 changed, 0 unchanged');
  const same = '= Workflow Finance/Month-end close: no difference\n0 created, 0 changed, 1 unchanged\n';
  expect(await runsheet('workflows', 'apply', close)).toEqual({ code: 0, out: same, err: '' });
  expect((await runsheet('workflows', 'export', 'Month-end close')).out).toBe(await readFile(close, 'utf8'));

  const changed = join(folder, 'changed', 'close.yaml');
  await mkdir(join(folder, 'changed'));
  await writeFile(changed, (await readFile(close, 'utf8')).replace('name: Collect\n', 'name: Collect "it"\n'));
  const { out } = await runsheet('workflows', 'plan', join(folder, 'changed'));
  expect(out).toMatch(
    /^~ Workflow Finance\/Month-end close: 1 change\n {4}~ steps\.\w+\.name: "Collect" → "Collect \\"it\\""\n0 to create, 1 to change/,
  );
  const applied = await runsheet('workflows', 'apply', changed, '--json', '--change', 'Commit 1234');
  expect(JSON.parse(applied.out)).toMatchObject([{ File: changed, Action: 'Change', Changes: [{}] }]);
  expect((await runsheet('workflows', 'plan', changed, '--check')).code).toBe(0);
  expect((await staging.runsheet('workflows', 'plan', close, '--check')).code).toBe(0);
});

test('nothing is changed if one of the files is wrong, and each problem names its line', async ({
  folder,
  close,
  production: { portal, runsheet },
}) => {
  const text = await readFile(close, 'utf8');
  const lineOf = (part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;
  const fine = join(folder, 'fine.yaml');
  await writeFile(fine, text.replace('name: Month-end close', 'name: Fine'));
  const wrong = join(folder, 'wrong.yaml');
  const apply = async (content: string) => {
    await writeFile(wrong, content);
    return runsheet('workflows', 'apply', fine, wrong);
  };
  const missing = text.replace('name: Month-end close', 'name: Wrong').replace('name: Report }', 'name: Gone }');
  expect(await apply(missing)).toEqual({
    code: 3,
    out: '',
    err: `runsheet: 1 problem. Nothing was changed.\n${wrong}:${lineOf('activity: { schema: Finance, name: Report }')}: There is no activity 'Gone' in the schema Finance here. Publish it first, or correct its name.\n`,
  });
  const unknown = await apply(text.replace('kind: Activity', 'kind: Activities'));
  expect([unknown.code, unknown.err]).toEqual([
    2,
    expect.stringContaining(`${wrong}:${lineOf('kind: Activity')}: kind must be`),
  ]);
  const twice = await apply(await readFile(fine, 'utf8'));
  expect(twice.err).toContain(`${fine} has the same kind and name.`);
  expect(await portal.app.database.knex('Checklists').where('Name', 'Fine')).toEqual([]);
  expect((await runsheet('workflows', 'plan', join(folder, 'none.yaml'))).err).toContain('none.yaml cannot be read');
  expect((await runsheet('workflows', 'export', 'Gone')).code).toBe(3);
});

test('the JSON schema of a kind names the fields for editors', async ({ staging: { runsheet } }) => {
  const schema = JSON.parse((await runsheet('workflows', 'schema')).out);
  expect(schema).toMatchObject({
    title: 'Runsheet Workflow',
    required: expect.arrayContaining(['apiVersion', 'kind', 'steps']),
  });
  expect(schema.properties.steps.items.anyOf).toHaveLength(4);
  expect((await runsheet('workflows', 'schema', 'Other')).code).toBe(2);
});
