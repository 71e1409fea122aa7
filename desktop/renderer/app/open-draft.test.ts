// @vitest-environment node
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

vi.mock('#renderer/api/bridge.ts', () => ({ bridge: {} }));

const { createTextCipher } = await import('./draft-cipher.ts');
const { openDraft } = await import('./open-draft.ts');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const key = Buffer.alloc(32, 1).toString('base64');

it('waits for the key if the server cannot be reached, and then returns the draft', async () => {
  const known = await createTextCipher(key);
  const encrypted = await known.encrypt('eight steps', 'workflow.new');
  const cipher = vi.fn(async () => (cipher.mock.calls.length < 3 ? null : known));
  const opened = openDraft(encrypted, 'workflow.new', { cipher, signal: new AbortController().signal });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await opened).toBe('eight steps');
  expect(cipher).toHaveBeenCalledTimes(3);
});

it('ends with the page, and for a draft of another key', async () => {
  const known = await createTextCipher(key);
  const leaving = new AbortController();
  const opened = openDraft('iv.text', 'workflow.new', { cipher: async () => null, signal: leaving.signal });
  await vi.advanceTimersByTimeAsync(10_000);
  leaving.abort();
  expect(await opened).toBeNull();
  const signal = new AbortController().signal;
  expect(await openDraft('iv.text', 'workflow.new', { cipher: async () => known, signal })).toBeNull();
});
