import { describe, expect, it } from 'vitest';
import type { Input } from '#shared/contract/parameters.ts';
import {
  discardDraft,
  draftKey,
  isEncryptedDraft,
  loadDraft,
  openDraft,
  rememberDraft,
  storeDraft,
  type DraftStore,
} from './form-draft.ts';

const input = (Id: number, Name: string, info: Partial<Input['Info']> = {}) =>
  ({
    Id,
    Name,
    HasAccess: true,
    PresetValue: null,
    Info: {
      RangeType: 'SingleCell',
      CellUsages: ['Text'],
      Specifications: ['Required'],
      Width: 1,
      ColsVariable: false,
      ...info,
    },
  }) as Input;

const form = (value: string) => ({ value, files: [], useDefault: false });

function createStore(limit = Infinity): DraftStore {
  const stored = new Map<string, string>();
  return {
    get: (key) => stored.get(key) ?? null,
    set: (key, value) => {
      if (value === null) stored.delete(key);
      else if (value.length <= limit) stored.set(key, value);
    },
  };
}

/** Stands in for encryption: the text is not readable, and only the same user and context can decrypt it. */
const cipherOf = (person: string) => ({
  encrypt: async (text: string, context: string) => Buffer.from(`${text}|${context}|${person}`).toString('hex'),
  decrypt: async (encrypted: string, context: string) => {
    const text = Buffer.from(encrypted, 'hex').toString();
    const end = `|${context}|${person}`;
    return text.endsWith(end) ? text.slice(0, -end.length) : null;
  },
});
const ANN = cipherOf('ann');

function saveDraft(store: DraftStore, key: string, inputs: Input[], changed: Record<number, ReturnType<typeof form>>) {
  rememberDraft(key, inputs, changed);
  return storeDraft(store, key, ANN);
}

/** Simulates a reload: everything in memory is gone. */
function reload(store: DraftStore, key: string): void {
  const encrypted = store.get(key);
  discardDraft(store, key);
  store.set(key, encrypted);
}

describe('what was typed into a run form', () => {
  it('comes back after a reload, encrypted in between, and only to the same person', async () => {
    const store = createStore();
    const inputs = [input(1, 'A'), input(2, 'B')];
    expect(await saveDraft(store, 'reload', inputs, { 2: form('typed') })).toBe(true);
    expect(store.get('reload')).not.toContain('typed');
    expect(isEncryptedDraft(store, 'reload')).toBe(false);
    reload(store, 'reload');
    expect(isEncryptedDraft(store, 'reload')).toBe(true);
    await openDraft(store, 'reload', cipherOf('bob'));
    await openDraft(store, 'reload', null);
    expect(loadDraft('reload', inputs)).toEqual({});
    await openDraft(store, 'reload', ANN);
    expect(loadDraft('reload', inputs)).toEqual({ 2: form('typed') });
  });
  it('goes to the inputs of the same name and shape in a new version', () => {
    rememberDraft('version', [input(1, 'A'), input(2, 'B')], { 1: form('a'), 2: form('b') });
    const next = [input(11, 'A'), input(12, 'B', { CellUsages: ['Number'] })];
    expect(loadDraft('version', next)).toEqual({ 11: form('a') });
  });
  it('is kept in memory, and said not to be safe, where the store cannot take it', async () => {
    const store = createStore(10);
    expect(await saveDraft(store, 'large', [input(1, 'A')], { 1: form('typed') })).toBe(false);
    expect(loadDraft('large', [input(1, 'A')])).toEqual({ 1: form('typed') });
    reload(store, 'large');
    await openDraft(store, 'large', ANN);
    expect(loadDraft('large', [input(1, 'A')])).toEqual({});
  });
  it('is never stored readably: without a cipher only memory keeps it', async () => {
    const store = createStore();
    rememberDraft('plain', [input(1, 'A')], { 1: form('typed') });
    expect(await storeDraft(store, 'plain', null)).toBe(false);
    expect(store.get('plain')).toBeNull();
  });
  it('is there at once for a newer version, before it has been stored', () => {
    rememberDraft('at once', [input(1, 'A')], { 1: form('typed') });
    expect(loadDraft('at once', [input(9, 'A')])).toEqual({ 9: form('typed') });
  });
  it('is gone once it was discarded, even while it is being encrypted', async () => {
    const store = createStore();
    const saving = saveDraft(store, 'gone', [input(1, 'A')], { 1: form('typed') });
    discardDraft(store, 'gone');
    await saving;
    expect(store.get('gone')).toBeNull();
    expect(loadDraft('gone', [input(1, 'A')])).toEqual({});
  });
  it('is never another person’s, however they write their name', () => {
    expect(draftKey('ann', 7, null)).not.toBe(draftKey('bob', 7, null));
    expect(draftKey('ann', 7, 3)).not.toBe(draftKey('ann', 7, null));
    expect(draftKey('Ann', 7, null)).toBe(draftKey('ann', 7, null));
  });

  it('gives way to a preset value that somebody has set since', () => {
    rememberDraft('preset', [input(1, 'A'), input(2, 'B')], { 1: form('typed'), 2: form('typed') });
    const preset = { ...input(1, 'A'), PresetValue: '"fixed"' };
    expect(Object.keys(loadDraft('preset', [preset, input(2, 'B')]))).toEqual(['2']);
  });
});
