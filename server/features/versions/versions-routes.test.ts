/** Listing and downloading versions. */
import { describe, expect } from 'vitest';
import { insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { test } from '#test/support/fixtures/activity-portal.ts';

describe('versions', () => {
  test('of all activities come in pages, those of one moment together', async ({ portal: { app, post } }) => {
    const { knex } = app.database;
    const viewer = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'V1' }]);
    const ids: number[] = [];
    for (let i = 0; i < 6; i++) ids.push(await insertActivity(knex, { UserId: viewer.UserId, Schema: 'V1' }));
    const timeOf = (i: number) => new Date(Date.UTC(2026, 0, [1, 2, 2, 2, 3, 4][i]));
    for (const [i, ActivityId] of ids.entries()) {
      await knex('ActivityVersions')
        .where({ ActivityId })
        .update({ Modified: timeOf(i) });
    }
    const page = async (ModifiedMin: string | null) => {
      const body = { ApproxRows: 3, Schema: null, FetchSchemas: true, ModifiedMin };
      return (await post('/api/activities/versions/all', body, viewer.headers)).body.result;
    };
    const first = await page(null);
    expect(first.Schemas).toEqual(['V1']);
    expect(first.ListItems.Items.map((item: { Id: number }) => item.Id)).toEqual([5, 4, 3, 2, 1].map((i) => ids[i]));
    expect(first.HasMore).toBe(true);
    const second = await page(first.ListItems.Items.at(-1).Modified);
    expect(second.ListItems.Items.map((item: { Id: number }) => item.Id)).toEqual([ids[0]]);
    expect(second.HasMore).toBe(false);
  });

  test('can be downloaded again, and say when their file is gone', async ({ portal: { publish, get, app } }) => {
    const Id = await publish();
    const token = (await get(`/api/activities/download/${Id}/1`)).body.result;
    const file = await app.http.inject({ url: `/api/files/download/${token}` });
    expect(file.statusCode).toBe(200);
    expect(file.body).toBe('workbook');
    expect(file.headers).toMatchObject({
      'content-disposition': `attachment; filename="book.xlsx"; filename*=UTF-8''book.xlsx`,
      'content-length': '8',
      'x-content-type-options': 'nosniff',
    });
    expect(await get(`/api/activities/download/${Id}/7`)).toEqual({
      status: 404,
      body: { message: 'This activity version file does not exist' },
    });
  });
});
