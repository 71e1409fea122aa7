/** Tests who owns a design, and how long it is stored. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOldDesigns } from '#server/features/designs/design-files.ts';
import { deleteUnneededFiles } from '#server/features/files/files-janitor.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { LOAN, MARKS, startDesignPortal, type DesignPortal } from '#test/support/design-portal.ts';
import { signedInUser } from '#test/support/users.ts';

let portal: DesignPortal;
let call: DesignPortal['call'];
let send: DesignPortal['send'];
let open: DesignPortal['open'];
let save: DesignPortal['save'];
let app: DesignPortal['app'];
beforeAll(async () => {
  portal = await startDesignPortal();
  ({ call, send, open, save, app } = portal);
});
afterAll(() => portal.close());

test('of two windows the second is notified that the marks were changed', async () => {
  const design = await open();
  expect((await save(design, MARKS)).status).toBe(200);
  expect(await save(design, [])).toMatchObject({ status: 409, message: expect.stringContaining('in another window') });
});

test('a design belongs to one person, and ends with the right to publish it', async () => {
  const design = await open();
  const other = await signedInUser(app, ['sk.CreateActivity']);
  for (const url of [
    `/api/designs/${design.Id}`,
    `/api/designs/${design.Id}/sheets/0/0`,
    `/api/designs/${design.Id}/download`,
  ])
    expect((await call('GET', url, undefined, other)).status).toBe(404);
  for (const [action, body] of [
    ['marks', { Revision: 0, Marks: [] }],
    ['try', { Inputs: [] }],
    ['delete', {}],
  ] as const)
    expect((await call('POST', `/api/designs/${design.Id}/${action}`, body, other)).status).toBe(404);
  const reader = await signedInUser(app, ['sk.RunActivity']);
  expect((await send('/api/designs/open', { Schema: 'Finance' }, await buildWorkbook(LOAN), reader)).status).toBe(403);
});

test('designs are listed and deleted with their files; those that are left unfinished go in time', async () => {
  const { knex } = app.database;
  const design = await open();
  const old = await open();
  const list = await call<{ Items: { Id: number }[] }>('GET', '/api/designs');
  expect(list.result.Items.slice(0, 2).map(({ Id }) => Id)).toEqual([old.Id, design.Id]);
  const files = (await knex('WorkbookDesignParts').where('DesignId', design.Id).pluck('FileId')) as string[];
  expect((await call('POST', `/api/designs/${design.Id}/delete`, {})).status).toBe(200);
  expect(await knex('StoredFiles').whereIn('FileId', files)).toEqual([]);

  const signal = new AbortController().signal;
  const deps = { database: app.database, store: app.fileStore };
  expect(await deleteOldDesigns(deps, signal)).toBe(0);
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  await knex('WorkbookDesigns')
    .where('Id', old.Id)
    .update({ ModifiedTime: days(2) });
  expect(await deleteOldDesigns(deps, signal)).toBe(1);

  const touched = await open();
  await save(touched, MARKS);
  await knex('WorkbookDesigns')
    .where('Id', touched.Id)
    .update({ ModifiedTime: days(29) });
  expect(await deleteOldDesigns(deps, signal)).toBe(0);
  // If a design is deleted with its user, the janitor deletes its files.
  await knex('WorkbookDesigns').where('Id', touched.Id).delete();
  await knex('StoredFiles')
    .where('Purpose', 'design')
    .update({ CreatedTime: days(1) });
  const before = Number((await knex('StoredFiles').where('Purpose', 'design').count({ n: '*' }))[0]!['n']);
  expect(await deleteUnneededFiles(app.database, app.fileStore, signal)).toBeGreaterThan(0);
  const after = Number((await knex('StoredFiles').where('Purpose', 'design').count({ n: '*' }))[0]!['n']);
  expect(after).toBeLessThan(before);
  expect(after).toBeGreaterThan(0);
});
