import { expect, test } from 'vitest';
import { askedEarly } from './early-secrets.ts';
import { createKeychain, type KeyringModule } from './keychain.ts';
import type { Secrets } from './ports.ts';
import { loadSessionTokens } from './session-tokens.ts';

function memory(): Secrets & { items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    get: async (name) => items.get(name) ?? null,
    set: async (name, secret) => void items.set(name, secret),
    remove: async (name) => void items.delete(name),
  };
}

test('a page gets a handle that stands for the token, also after a restart, until it is forgotten', async () => {
  const secrets = memory();
  const tokens = await loadSessionTokens(secrets, 'account');
  const handle = await tokens.store('token-1');
  expect(handle).not.toContain('token-1');
  expect(tokens.tokenOf(handle)).toBe('token-1');
  expect(tokens.tokenOf('token-1')).toBeNull();
  const again = await loadSessionTokens(secrets, 'account');
  expect([again.tokenOf(handle), again.current()]).toEqual(['token-1', 'token-1']);
  await again.forget();
  expect([again.tokenOf(handle), secrets.items.size]).toEqual([null, 0]);
});

test('a renewed token has its own handle, and old handles are invalid', async () => {
  const tokens = await loadSessionTokens(memory(), 'account');
  const handles: string[] = [];
  for (let number = 0; number < 6; number += 1) handles.push(await tokens.store(`token-${number}`));
  expect(handles.map((handle) => tokens.tokenOf(handle))).toEqual([
    null,
    null,
    'token-2',
    'token-3',
    'token-4',
    'token-5',
  ]);
  expect(tokens.current()).toBe('token-5');
});

test('a page that was killed before it stored the handle of a renewed token continues with the previous one', async () => {
  const secrets = memory();
  const tokens = await loadSessionTokens(secrets, 'account');
  const first = await tokens.store('token-1');
  const renewed = [];
  for (let number = 2; number < 7; number += 1)
    renewed.push(await tokens.store(`token-${number}`, { isRenewed: true }));
  const again = await loadSessionTokens(secrets, 'account');
  expect([first, ...renewed].map((handle) => again.tokenOf(handle))).toEqual([
    null,
    null,
    'token-6',
    'token-6',
    'token-6',
    'token-6',
  ]);
  // Another sign-in, even of a different user, is not a renewal.
  const other = await again.store('token-of-other');
  const last = await loadSessionTokens(secrets, 'account');
  expect([...renewed, other].map((handle) => last.tokenOf(handle)).filter(Boolean)).toEqual(['token-of-other']);
});

test('an early request is answered once, and is ignored after a change', async () => {
  const keychain = memory();
  for (const name of ['a', 'b', 'c', 'd']) keychain.items.set(name, 'early');
  const secrets = askedEarly(keychain, ['a', 'b', 'c', 'none']);
  for (const name of ['a', 'd']) keychain.items.set(name, 'late');
  expect([await secrets.get('a'), await secrets.get('a'), await secrets.get('d')]).toEqual(['early', 'late', 'late']);
  await secrets.set('b', 'changed');
  await secrets.remove('c');
  expect([await secrets.get('b'), await secrets.get('c'), await secrets.get('none')]).toEqual(['changed', null, null]);
});

test('a keychain that fails early fails for who asks, and may be asked again', async () => {
  const secrets = askedEarly(
    createKeychain(() => keyring(() => Promise.reject(new Error('locked')))),
    ['a'],
  );
  await expect(secrets.get('a')).rejects.toThrow('is locked');
  await expect(secrets.get('a')).rejects.toThrow('is locked');
});

test('an item that an older program has written holds', async () => {
  const secrets = memory();
  const handle = `handle-${'a'.repeat(32)}`;
  secrets.items.set('account', JSON.stringify({ handle, token: 'token' }));
  expect((await loadSessionTokens(secrets, 'account')).tokenOf(handle)).toBe('token');
});

test.each(['', 'no JSON', '{"handle":"x","token":"t"}', '{"handle":1}', 'null'])(
  'an item %j of the keychain counts as none',
  async (item) => {
    const secrets = memory();
    secrets.items.set('account', item);
    expect((await loadSessionTokens(secrets, 'account')).current()).toBeNull();
  },
);

const keyring = (answer: () => Promise<string | null>): KeyringModule => ({
  AsyncEntry: class {
    getPassword = answer;
    setPassword = async (): Promise<void> => void (await answer());
    deleteCredential = answer;
  },
});

test.each([
  ['is missing', () => Promise.reject(new Error('no DBus')), 'No keychain of the system was found'],
  ['is locked', () => Promise.reject(new Error('Couldn’t access platform storage: locked')), 'is locked'],
  ['does not answer', () => new Promise<never>(() => undefined), 'did not answer'],
])('a keychain that %s stores nothing, and the session continues without it', async (_what, answer, text) => {
  const secrets = createKeychain(() => keyring(answer), 20);
  const tokens = await loadSessionTokens(secrets, 'account');
  expect(tokens.problem()).toContain(text);
  expect(tokens.tokenOf(await tokens.store('token'))).toBe('token');
  expect(tokens.problem()).toContain(text);
  await tokens.forget();
  expect(tokens.current()).toBeNull();
});

test('a module that does not fit the system is no keychain, and what is not there is removed in peace', async () => {
  const none = createKeychain(() => {
    throw new Error('cannot find module');
  });
  await expect(none.get('x')).rejects.toThrow('No keychain');
  const empty = createKeychain(() =>
    keyring(() => Promise.reject(new Error('No matching entry found in secure storage'))),
  );
  await empty.remove('x');
});

test('a keychain that does not answer is asked by one call at a time, and again once it has answered', async () => {
  let asked = 0;
  let answer = (_secret: string | null): void => undefined;
  const waiting = (): Promise<string | null> => {
    asked += 1;
    return new Promise((resolve) => (answer = resolve));
  };
  const secrets = createKeychain(() => keyring(waiting), 20);
  const refused = await Promise.allSettled([secrets.get('a'), secrets.get('b'), secrets.set('c', 'd')]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(secrets.get('a')).rejects.toThrow('did not answer');
  expect(asked).toBe(1);
  answer(null);
  // Lets code that waits for the failed call react first.
  await new Promise(setImmediate);
  const next = secrets.get('a');
  await expect.poll(() => asked).toBe(2);
  answer('secret');
  expect(await next).toBe('secret');
});
