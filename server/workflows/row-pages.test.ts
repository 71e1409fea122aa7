import { expect, test } from 'vitest';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { readRowPage, type RowsWanted } from './row-pages.ts';

test('a run that ends while its page is read is listed once, as it was read last', async () => {
  const runs: { Id: number; Status: RunStatus }[] = [
    { Id: 1, Status: 'PickedUp' },
    { Id: 2, Status: 'Queued' },
    { Id: 3, Status: 'Failed' },
  ];
  const list = async ({ statuses, waiting }: RowsWanted) => {
    const found = waiting ? [] : runs.filter(({ Status }) => statuses.includes(Status)).map((run) => ({ ...run }));
    if (found.some(({ Id }) => Id === 1)) runs[0]!.Status = 'Succeeded';
    return found;
  };
  const { rows, Next } = await readRowPage(list);
  expect(rows.map(({ Id, Status }) => `${Id} ${Status}`)).toEqual(['3 Failed', '2 Queued', '1 Succeeded']);
  expect(Next).toBeNull();
});
