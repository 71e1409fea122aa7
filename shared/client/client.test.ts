import { expect, test } from 'vitest';
import { activityDetails } from '../contract/activities.ts';
import { createClient } from './client.ts';

function failureOf(response: Response): Promise<unknown> {
  const client = createClient({ address: 'http://portal.example', token: 'key', fetch: async () => response });
  return client.call(activityDetails, { params: { id: 1 } }).catch((error: unknown) => error);
}

test('a refusal without a message is explained only if the portal has sent it', async () => {
  const headers = { 'x-server-time': '2026-03-01T09:00:00Z' };
  const message = 'The portal does not know this key or session: sign in again';
  expect(await failureOf(new Response('', { status: 401, headers }))).toMatchObject({ status: 401, message });
  const ofProxy = new Response('<p>Sign in</p>', { status: 401, statusText: 'Unauthorized' });
  expect(await failureOf(ofProxy)).toMatchObject({
    status: 401,
    message: 'Something other than the portal answered: 401 Unauthorized',
  });
});
