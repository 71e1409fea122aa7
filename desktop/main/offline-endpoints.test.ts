import { expect, test } from 'vitest';
import { contractEndpoints } from '#test/support/contract.ts';
import { OFFLINE_ENDPOINTS } from './offline-endpoints.ts';

test('every call that the contract marks to be read offline is stored', async () => {
  const marked = (await contractEndpoints()).filter(({ offline }) => offline !== null);
  expect(OFFLINE_ENDPOINTS.map(({ path }) => path).toSorted()).toEqual(marked.map(({ path }) => path).toSorted());
});
