/** Tests the template and the samples as downloads. */
import { expect } from 'vitest';
import { test } from '#test/support/fixtures/activity-portal.ts';
import { signedInUser } from '#test/support/users.ts';

test('the template comes first, and each file is a workbook', async ({ portal }) => {
  const { Items } = (await portal.get('/api/activities/examplefiles')).body.result;
  expect(Items[0]).toEqual({ FileName: 'template.xlsx', Title: 'Template', IsTemplate: true, IsUnmarked: false });
  expect(Items.map(({ Title }: { Title: string }) => Title)).toEqual(
    expect.arrayContaining(['Loan schedule', 'FX exposure report']),
  );
  for (const { FileName } of Items.slice(0, 2)) {
    const token = (await portal.post('/api/activities/examplefiles/download', { FileName })).body.result;
    const file = await portal.app.http.inject({ method: 'GET', url: `/api/files/download/${token}` });
    expect(file.statusCode).toBe(200);
    expect(file.headers['content-disposition']).toContain(FileName);
    expect(file.rawPayload.subarray(0, 2).toString()).toBe('PK');
  }
});

test('no other file of the machine is reached, and only authors reach these', async ({ portal }) => {
  const download = (FileName: string) => portal.post('/api/activities/examplefiles/download', { FileName });
  expect((await download('nothing.xlsx')).status).toBe(404);
  expect((await download('../index.xlsx')).status).toBe(400);
  const runner = await signedInUser(portal.app, ['sk.RunActivity']);
  expect((await portal.get('/api/activities/examplefiles', runner.headers)).status).toBe(403);
});
