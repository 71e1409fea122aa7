/** Tests whether a start can wait on this computer for its server. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunFormState } from '#renderer/features/run-form/run-form-store.ts';

let canQueue: boolean;

beforeEach(() => {
  vi.resetModules();
  canQueue = true;
  vi.stubGlobal('window', { runsheet: { outbox: { isOffered: true, canQueue: () => canQueue } } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const form = (kind: string): RunFormState =>
  ({ activity: { Inputs: [], Outputs: [], DisplayInfo: {} }, origin: { kind } }) as unknown as RunFormState;

test('a filled-in form can be queued if the computer has a keychain', async () => {
  const { whyNotQueued } = await import('./queue-start.ts');
  expect(whyNotQueued(form('own'))).toBeNull();
});

test('without a keychain none may, and the form says why and what to do', async () => {
  const { whyNotQueued } = await import('./queue-start.ts');
  canQueue = false;
  const why = whyNotQueued(form('own'));
  expect(why).toContain('this computer has no keychain that Runsheet can use, or the keychain is locked');
  expect(why).toContain('set up or unlock the keychain');
});

test('a form that needs the server says that first', async () => {
  const { whyNotQueued } = await import('./queue-start.ts');
  canQueue = false;
  expect(whyNotQueued(form('link'))).toContain('needs values from it');
});
