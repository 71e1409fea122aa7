import { describe, expect, it } from 'vitest';
import type { Input } from '#shared/contract/parameters.ts';
import { discardDraft, draftKey, loadDraft, rememberDraft, storeDraft, type DraftStore } from './form-draft.ts';

const input = (Id: number, Name: string, info: Partial<Input['Info']> = {}) =>
  ({
    Id,
    Name,
    Info: { RangeType: 'SingleCell', CellUsages: ['Text'], Width: 1, ColsVariable: false, ...info },
  }) as Input;

const form = (value: string) => ({ value, files: [], useDefault: false });

function createStore(limit = Infinity): DraftStore {
  const kept = new Map<string, string>();
  return {
    get: (key) => kept.get(key) ?? null,
    set: (key, value) => {
      if (value === null) kept.delete(key);
      else if (value.length <= limit) kept.set(key, value);
    },
  };
}

function saveDraft(store: DraftStore, key: string, inputs: Input[], changed: Record<number, ReturnType<typeof form>>) {
  rememberDraft(key, inputs, changed);
  return storeDraft(store, key);
}

/** As after a reload: what only memory held is gone. */
function reloaded(store: DraftStore, key: string): DraftStore {
  const json = store.get(key);
  discardDraft(store, key);
  store.set(key, json);
  return store;
}

describe('what was typed into a run form', () => {
  it('comes back after a reload', () => {
    const store = createStore();
    expect(saveDraft(store, 'reload', [input(1, 'A'), input(2, 'B')], { 2: form('typed') })).toBe(true);
    expect(loadDraft(reloaded(store, 'reload'), 'reload', [input(1, 'A'), input(2, 'B')])).toEqual({
      2: form('typed'),
    });
  });
  it('goes to the inputs of the same name and shape in a new version', () => {
    const store = createStore();
    saveDraft(store, 'version', [input(1, 'A'), input(2, 'B')], { 1: form('a'), 2: form('b') });
    const next = [input(11, 'A'), input(12, 'B', { CellUsages: ['Number'] })];
    expect(loadDraft(store, 'version', next)).toEqual({ 11: form('a') });
  });
  it('is kept in memory, and said not to be safe, where the store cannot take it', () => {
    const store = createStore(10);
    expect(saveDraft(store, 'large', [input(1, 'A')], { 1: form('typed') })).toBe(false);
    expect(loadDraft(store, 'large', [input(1, 'A')])).toEqual({ 1: form('typed') });
    expect(loadDraft(reloaded(store, 'large'), 'large', [input(1, 'A')])).toEqual({});
  });
  it('is there at once for a newer version, before it has been stored', () => {
    rememberDraft('at once', [input(1, 'A')], { 1: form('typed') });
    expect(loadDraft(createStore(), 'at once', [input(9, 'A')])).toEqual({ 9: form('typed') });
  });
  it('is gone once it was discarded', () => {
    const store = createStore();
    saveDraft(store, 'gone', [input(1, 'A')], { 1: form('typed') });
    discardDraft(store, 'gone');
    expect(loadDraft(store, 'gone', [input(1, 'A')])).toEqual({});
  });
  it('is never another person’s', () => {
    expect(draftKey('ann', 7, null)).not.toBe(draftKey('bob', 7, null));
    expect(draftKey('ann', 7, 3)).not.toBe(draftKey('ann', 7, null));
  });
});
