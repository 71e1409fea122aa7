import { access } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { networkFault } from './network-fault.ts';

const missing = join(tmpdir(), 'runsheet-is-not-here');

test('a socket that is missing is a connection that cannot be made', async () => {
  const [error] = (await once(connect(missing), 'error').catch((error: unknown) => [error])) as unknown[];
  expect(error).toMatchObject({ code: 'ENOENT' });
  expect(networkFault(error)).toBe('connection');
});

test('a file that is missing says nothing about the database', async () => {
  const error: unknown = await access(missing).catch((error: unknown) => error);
  expect(error).toMatchObject({ code: 'ENOENT' });
  expect(networkFault(error)).toBe('other');
});
