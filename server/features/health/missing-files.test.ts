/** Tests a portal whose file folder is missing, for example because a share is not mounted. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withRunPortal } from '#test/support/fixtures/run-portal.ts';

const test = withRunPortal({});
const MESSAGE = 'The folder of the file storage is missing or not mounted. Please tell an administrator.';

test('refuses starts with the reason and is not ready, until the folder is back', async ({ portal }) => {
  const { dataDir, http } = portal.app;
  const ready = () => http.inject({ url: '/api/health/ready' });
  expect((await ready()).statusCode).toBe(200);
  await rename(join(dataDir, 'files'), join(dataDir, 'away'));
  const { statusCode, body } = await ready();
  expect([statusCode, body]).toEqual([503, expect.stringContaining(MESSAGE)]);
  const refused = await portal.start();
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([503, expect.stringContaining(MESSAGE)]);
  expect((await http.inject({ url: '/api/health' })).statusCode).toBe(200);
  await rename(join(dataDir, 'away'), join(dataDir, 'files'));
  expect((await ready()).statusCode).toBe(200);
  expect((await portal.ended(await portal.started())).Status).toBe('Succeeded');
});
