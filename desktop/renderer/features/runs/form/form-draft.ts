/**
 * What a person has typed into a run form and not sent yet. It stays with the window, by activity and encrypted, so that neither a
 * reload, nor signing in again, nor a new version of the activity loses it. Specification of security, section 4.
 */
import { isFixed, type FormInput } from '#shared/codecs/input-form.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import type { TextCipher } from '#renderer/app/draft-cipher.ts';
import { fitsInput, type Forms } from './form-inputs.ts';

/** As the bridge's stores: never throws, forgets what it cannot keep. */
export interface DraftStore {
  get: (key: string) => string | null;
  set: (key: string, value: string | null) => void;
}

export interface DraftInput {
  Name: string;
  Info: Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Width' | 'ColsVariable'>;
  form: FormInput;
}

/** Also what the window's store cannot take, for as long as the page is loaded. */
const memory = new Map<string, DraftInput[]>();

/** Runs of one activity that begin differently keep different drafts, and nobody gets another person's. */
export const draftKey = (userName: string, activityId: number, begins: number | string | null): string =>
  `run-form.${userName.toLowerCase()}.${activityId}${begins === null ? '' : `.${begins}`}`;

/** Keeps the forms of the inputs a person has changed for as long as the page is loaded: cheap, for each letter typed. */
export function rememberDraft(key: string, inputs: readonly Input[], changed: Forms): void {
  memory.set(key, draftOf(inputs, changed));
}

/** Forms with what is needed to put them into another version of the activity. */
export const draftOf = (inputs: readonly Input[], forms: Forms): DraftInput[] =>
  inputs.flatMap((input): DraftInput[] => {
    const form = forms[input.Id];
    const { RangeType, CellUsages, Width, ColsVariable } = input.Info;
    return form ? [{ Name: input.Name, Info: { RangeType, CellUsages, Width, ColsVariable }, form }] : [];
  });

/** Remembers what was filled in elsewhere, unless the form was begun here already. */
export function adoptDraft(key: string, draft: DraftInput[]): void {
  if (!memory.has(key)) memory.set(key, draft);
}

/**
 * Puts what is remembered into the window's store. False where the store could not take it, or nothing can encrypt it: it is then
 * lost with a reload, and the page must warn.
 */
export async function storeDraft(store: DraftStore, key: string, cipher: TextCipher | null): Promise<boolean> {
  const draft = memory.get(key) ?? [];
  if (draft.length === 0) {
    store.set(key, null);
    return true;
  }
  if (cipher === null) return false;
  const encrypted = await cipher.encrypt(JSON.stringify(draft), key);
  // Discarded or changed meanwhile: what is newer is stored, or nothing.
  if (memory.get(key) !== draft) return true;
  store.set(key, encrypted);
  const isKept = store.get(key) === encrypted;
  // Half a draft would come back as if it were whole.
  if (!isKept) store.set(key, null);
  return isKept;
}

/** Whether a draft lies in the store that has to be opened before it can be loaded. */
export const isEncryptedDraft = (store: DraftStore, key: string): boolean =>
  !memory.has(key) && store.get(key) !== null;

/** Remembers what the store holds, if it is this person's. */
export async function openDraft(store: DraftStore, key: string, cipher: TextCipher | null): Promise<void> {
  const encrypted = store.get(key);
  const json = encrypted === null || cipher === null ? null : await cipher.decrypt(encrypted, key);
  if (json !== null && !memory.has(key)) memory.set(key, JSON.parse(json) as DraftInput[]);
}

/** The remembered forms that fit the inputs, whichever version of the activity they were typed for. What has got a preset value since shows that. */
export function loadDraft(key: string, inputs: readonly Input[]): Forms {
  const draft = memory.get(key) ?? [];
  const forms: Forms = {};
  for (const input of inputs) {
    const kept = draft.find((entry) => entry.Name === input.Name);
    if (kept && !isFixed(input) && fitsInput({ ...input.Info, ...kept.Info }, input.Info)) forms[input.Id] = kept.form;
  }
  return forms;
}

export function discardDraft(store: DraftStore, key: string): void {
  memory.delete(key);
  store.set(key, null);
}
