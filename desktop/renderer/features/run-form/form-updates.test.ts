import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Activity } from '#shared/contract/activities.ts';
import type { UpdateUiBody, UpdateUiResult } from '#shared/contract/forms.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import { inputInfo } from '#shared/testing/input-info.ts';
import { createFormUpdates } from './form-updates.ts';
import { changeForm, createRunForm, resetForm, type RunFormStore } from './run-form-store.ts';

const input = (Id: number, Name: string, info: Partial<InputInfo>): Input => ({
  Id,
  ActivityId: 1,
  Name,
  Description: '',
  HasAccess: true,
  PresetValue: null,
  PresetValueError: null,
  Info: inputInfo(info),
});
const quantity = input(1, 'Quantity', {});
const price = input(2, 'Price', { Specifications: ['Suggested'], Calculated: [true], DefaultValue: '20' });
const activity = { Id: 1, Version: 1, Inputs: [quantity, price], Outputs: [], CanRun: true } as unknown as Activity;

interface Asked {
  body: UpdateUiBody;
  answer: (suggested: number) => Promise<void>;
  fail: () => Promise<void>;
}

let store: RunFormStore;
let asked: Asked[];
let said: string[];
let updates: ReturnType<typeof createFormUpdates>;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  store = createRunForm(activity, {}, {});
  asked = [];
  said = [];
  updates = createFormUpdates(
    store,
    (body) => {
      const { promise, resolve, reject } = Promise.withResolvers<UpdateUiResult>();
      const settle = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined);
      asked.push({
        body,
        answer: (suggested) => {
          const Inputs = [{ ActivityParameterId: 2, ColumnIndex: null, Value: String(suggested) }];
          resolve({ UniqueId: 'form', InputPickerValues: [], StoredFileNames: [], Inputs, Outputs: [] });
          return settle();
        },
        fail: () => {
          reject(new Error('no'));
          return settle();
        },
      });
      return promise;
    },
    (text) => said.push(text),
  );
  stop = updates.start();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const type = (id: number, value: number): void => changeForm(store, id, { value, files: [], useDefault: false });
const shown = (id: number): unknown => store.getState().forms[id]!.value;

describe('a form that asks', () => {
  it('asks at once, names itself from the first answer on, and announces what changed later', async () => {
    expect(asked[0]!.body).toMatchObject({ UniqueId: null, ChangedInputIndex: null });
    await asked[0]!.answer(30);
    expect(shown(2)).toBe(30);
    expect(said).toEqual([]);
    type(1, 4);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(2);
    expect(asked[1]!.body).toMatchObject({ UniqueId: 'form', ChangedInputIndex: 0 });
    await asked[1]!.answer(8);
    expect(shown(2)).toBe(8);
    expect(said).toEqual(['Price updated']);
    // Values written by the response do not cause another request.
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(2);
  });

  it('drops an answer that is older than what was typed, and asks again', async () => {
    type(1, 4);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(1);
    await asked[0]!.answer(99);
    expect(shown(2)).toBe(20);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(2);
    await asked[1]!.answer(8);
    expect(shown(2)).toBe(8);
  });

  it('never overwrites what was typed, and goes back to the suggestion when asked', async () => {
    type(2, 100);
    await vi.advanceTimersByTimeAsync(1000);
    await asked[0]!.answer(7);
    await vi.advanceTimersByTimeAsync(1000);
    await asked[1]!.answer(8);
    expect(shown(2)).toBe(100);
    resetForm(store, price);
    expect(store.getState().forms[2]).toEqual({ value: 8, files: [], useDefault: true });
    expect(store.getState().changed.has(2)).toBe(false);
  });

  it('says why no answer came, and continues', async () => {
    await asked[0]!.fail();
    expect(store.getState().live).toMatchObject({ isUpdating: false });
    expect(store.getState().live.failure).not.toBeNull();
    updates.refresh();
    await vi.advanceTimersByTimeAsync(0);
    await asked[1]!.answer(5);
    expect(store.getState().live.failure).toBeNull();
    expect(shown(2)).toBe(5);
  });
});
