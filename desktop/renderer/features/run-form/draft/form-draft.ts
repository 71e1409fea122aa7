/**
 * What a user has typed into a run form but not sent. It stays with the window, encrypted and by activity. Reloads,
 * signing in again and new versions of the activity do not lose it. Source: specification of security, section 4.
 */
import { isFixed, type FormInput } from '#shared/codecs/input-form.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import type { TextCipher } from '#renderer/app/draft-cipher.ts';
import { fitsInput, type Forms } from '#renderer/features/run-form/form-inputs.ts';

/** Like the bridge's stores: never throws, and drops what it cannot store. */
export interface DraftStore {
  get: (key: string) => string | null;
  set: (key: string, value: string | null) => void;
}

export interface DraftInput {
  Name: string;
  Info: Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Width' | 'ColsVariable'>;
  form: FormInput;
}

/** Drafts of this page load, including those that the window's store cannot hold. */
const memory = new Map<string, DraftInput[]>();

/**
 * Returns the draft's key. Runs of one activity with different initial values have different drafts, and users never
 * get another user's draft.
 */
export const draftKey = (userName: string, activityId: number, draftSource: number | string | null): string =>
  `run-form.${userName.toLowerCase()}.${activityId}${draftSource === null ? '' : `.${draftSource}`}`;

/** Holds the changed inputs in memory while the page is loaded. Cheap enough for every keystroke. */
export function rememberDraft(key: string, inputs: readonly Input[], changed: Forms): void {
  memory.set(key, draftOf(inputs, changed));
}

/** Returns the forms with the information needed to apply them to another version of the activity. */
export const draftOf = (inputs: readonly Input[], forms: Forms): DraftInput[] =>
  inputs.flatMap((input): DraftInput[] => {
    const form = forms[input.Id];
    const { RangeType, CellUsages, Width, ColsVariable } = input.Info;
    return form ? [{ Name: input.Name, Info: { RangeType, CellUsages, Width, ColsVariable }, form }] : [];
  });

/** Takes over a draft that was filled in elsewhere, unless the form already has one here. */
export function adoptDraft(key: string, draft: DraftInput[]): void {
  if (!memory.has(key)) memory.set(key, draft);
}

/**
 * Stores the draft in the window's store. Returns false if the store is full or encryption is unavailable: a reload
 * then loses the draft, so the page must warn.
 */
export async function storeDraft(store: DraftStore, key: string, cipher: TextCipher | null): Promise<boolean> {
  const draft = memory.get(key) ?? [];
  if (draft.length === 0) {
    store.set(key, null);
    return true;
  }
  if (cipher === null) return false;
  const encrypted = await cipher.encrypt(JSON.stringify(draft), key);
  // The draft was discarded or changed in the meantime, so do not store this version.
  if (memory.get(key) !== draft) return true;
  store.set(key, encrypted);
  const isStored = store.get(key) === encrypted;
  // A partial draft would be restored as if it were complete.
  if (!isStored) store.set(key, null);
  return isStored;
}

/** True if the store has a draft that must be decrypted before it can be loaded. */
export const isEncryptedDraft = (store: DraftStore, key: string): boolean =>
  !memory.has(key) && store.get(key) !== null;

/** Loads the stored draft into memory, if it can be decrypted for this user. */
export async function openDraft(store: DraftStore, key: string, cipher: TextCipher | null): Promise<void> {
  const encrypted = store.get(key);
  const json = encrypted === null || cipher === null ? null : await cipher.decrypt(encrypted, key);
  if (json !== null && !memory.has(key)) memory.set(key, JSON.parse(json) as DraftInput[]);
}

/**
 * Returns the drafted forms that fit the inputs, whichever version they were typed for. Inputs that have a preset value
 * now are skipped.
 */
export function loadDraft(key: string, inputs: readonly Input[]): Forms {
  const draft = memory.get(key) ?? [];
  const forms: Forms = {};
  for (const input of inputs) {
    const stored = draft.find((entry) => entry.Name === input.Name);
    if (stored && !isFixed(input) && fitsInput({ ...input.Info, ...stored.Info }, input.Info))
      forms[input.Id] = stored.form;
  }
  return forms;
}

export function discardDraft(store: DraftStore, key: string): void {
  memory.delete(key);
  store.set(key, null);
}
