import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDraftSaver } from './draft-saver.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('stores a draft a moment after the last change, and at once where the page goes', async () => {
  const store = vi.fn(async () => undefined);
  const saver = createDraftSaver(store, 200);
  saver.changed();
  vi.advanceTimersByTime(199);
  saver.changed();
  vi.advanceTimersByTime(199);
  expect(store).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(store).toHaveBeenCalledOnce();
  saver.changed();
  await saver.flush();
  vi.advanceTimersByTime(1000);
  expect(store).toHaveBeenCalledTimes(2);
});

it('lets a page that goes wait for what is being stored already', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const saver = createDraftSaver(() => promise, 200);
  saver.changed();
  vi.advanceTimersByTime(200);
  let isStored = false;
  const flushed = saver.flush().then(() => (isStored = true));
  await vi.advanceTimersByTimeAsync(1000);
  expect(isStored).toBe(false);
  resolve();
  await flushed;
});
