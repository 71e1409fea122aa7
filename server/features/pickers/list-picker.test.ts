/** Tests pages and searches of a picker whose list is in the workbook. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/activity-portal.ts';

const test = base.extend(
  'pick',
  { scope: 'file' },
  ({ portal: { publish, get, post } }) =>
    async (query: object, index = 0, column = 0) => {
      const Id = await publish();
      const details = (await get(`/api/activities/details/${Id}`)).body.result;
      return post(`/api/activities/picker/${Id}/${details.Inputs[index].Id}/${column}`, query);
    },
);

describe('a list picker', () => {
  const values = (answer: { body: { result: { Items: { Value: string }[] } } }) =>
    answer.body.result.Items.map(({ Value }) => Value);

  test('answers pages both ways', async ({ pick }) => {
    const first = await pick({});
    expect(values(first)).toHaveLength(20);
    expect(first.body.result).toMatchObject({ HasMore: true, HasMorePrecedingItems: false });
    const next = await pick({ FetchNext: true, Last: 'Item 19' });
    expect(values(next)[0]).toBe('Item 20');
    expect(next.body.result).toMatchObject({ HasMore: true, HasMorePrecedingItems: true });
    expect(values(await pick({ FetchPrevious: true, First: 'Item 25' }))[0]).toBe('Item 05');
    expect(values(await pick({ All: true }))).toHaveLength(50);
  });

  test('searches without regard to case', async ({ pick }) => {
    expect(values(await pick({ Value: 'ITEM 4' }))).toHaveLength(10);
  });

  test('is 404 for an input without one', async ({ pick }) => {
    expect((await pick({}, 1)).status).toBe(404);
  });
});
