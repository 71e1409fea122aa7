import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Mark } from '#shared/contract/designs.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { createMarkSaver, type SaveState } from './save-marks.ts';

const marks = (name: string): Mark[] => [{ Role: 'Input', Name: name, Sheet: 'Sheet1', Range: 'A1', Options: {} }];
const found = {} as InspectedWorkbook;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function saver(
  send: (revision: number, sent: readonly Mark[]) => Promise<{ Revision: number; Found: InspectedWorkbook }>,
) {
  const states: SaveState[] = [];
  const saving = createMarkSaver({ revision: 4, send, onState: (state) => states.push(state), delay: 400 });
  return { states, saving };
}

it('gathers changes, and sends what came in between once more after the first answer', async () => {
  const sent: [number, string][] = [];
  let answer = (): void => undefined;
  const { states, saving } = saver((revision, [mark]) => {
    sent.push([revision, mark!.Name]);
    return new Promise((resolve) => (answer = () => resolve({ Revision: revision + 1, Found: found })));
  });
  saving.save(marks('a'));
  saving.save(marks('ab'));
  await vi.advanceTimersByTimeAsync(400);
  expect(sent).toEqual([[4, 'ab']]);
  saving.save(marks('abc'));
  saving.save(marks('abcd'));
  await vi.advanceTimersByTimeAsync(400);
  expect(sent).toHaveLength(1);
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([
    [4, 'ab'],
    [5, 'abcd'],
  ]);
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(states.at(-1)).toBe('saved');
});

it('sends at once where it has to, and gives what was found', async () => {
  const { saving } = saver((revision) => Promise.resolve({ Revision: revision + 1, Found: found }));
  saving.save(marks('a'));
  expect(await saving.flush()).toBe(found);
});

it('keeps what could not be saved, and says whether somebody else has changed it', async () => {
  let failure: AppFailure | null = new AppFailure('away', { status: 0 });
  const { states, saving } = saver((revision) =>
    failure ? Promise.reject(failure) : Promise.resolve({ Revision: revision + 1, Found: found }),
  );
  saving.save(marks('a'));
  expect(await saving.flush()).toBeNull();
  expect(states.at(-1)).toBe('failed');
  failure = new AppFailure('changed', { status: 409 });
  expect(await saving.flush()).toBeNull();
  expect(states.at(-1)).toBe('conflict');
  failure = null;
  saving.retry();
  expect(await saving.flush()).toBe(found);
});
