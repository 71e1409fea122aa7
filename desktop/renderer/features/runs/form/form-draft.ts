/**
 * What a person has typed into a run form and not sent yet. It stays with the window, by activity, so that neither a
 * reload, nor signing in again, nor a new version of the activity loses it.
 */
import type { FormInput } from '#shared/codecs/input-form.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import { fitsInput, type Forms } from './form-inputs.ts';

/** As the bridge's stores: never throws, forgets what it cannot keep. */
export interface DraftStore {
  get: (key: string) => string | null;
  set: (key: string, value: string | null) => void;
}

interface DraftInput {
  Name: string;
  Info: Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Width' | 'ColsVariable'>;
  form: FormInput;
}

/** Drafts too large for the window's store live as long as the page is loaded. */
const memory = new Map<string, DraftInput[]>();

/** Runs of one activity that begin differently keep different drafts, and nobody gets another person's. */
export const draftKey = (userName: string, activityId: number, begins: number | string | null): string =>
  `run-form.${userName}.${activityId}${begins === null ? '' : `.${begins}`}`;

/** Keeps the forms of the inputs a person has changed for as long as the page is loaded: cheap, for each letter typed. */
export function rememberDraft(key: string, inputs: readonly Input[], changed: Forms): void {
  const draft = inputs.flatMap((input): DraftInput[] => {
    const form = changed[input.Id];
    const { RangeType, CellUsages, Width, ColsVariable } = input.Info;
    return form ? [{ Name: input.Name, Info: { RangeType, CellUsages, Width, ColsVariable }, form }] : [];
  });
  memory.set(key, draft);
}

/**
 * Puts what is remembered into the window's store. False where the store could not take it: it is then lost with a
 * reload, and the page must warn.
 */
export function storeDraft(store: DraftStore, key: string): boolean {
  const draft = memory.get(key) ?? [];
  if (draft.length === 0) {
    discardDraft(store, key);
    return true;
  }
  const json = JSON.stringify(draft);
  store.set(key, json);
  const isKept = store.get(key) === json;
  // Half a draft would come back as if it were whole.
  if (!isKept) store.set(key, null);
  return isKept;
}

/** The kept forms that fit the inputs, whichever version of the activity they were typed for. */
export function loadDraft(store: DraftStore, key: string, inputs: readonly Input[]): Forms {
  const draft = memory.get(key) ?? parseDraft(store.get(key));
  const forms: Forms = {};
  for (const input of inputs) {
    const kept = draft.find((entry) => entry.Name === input.Name);
    if (kept && fitsInput({ ...input.Info, ...kept.Info }, input.Info)) forms[input.Id] = kept.form;
  }
  return forms;
}

export function discardDraft(store: DraftStore, key: string): void {
  memory.delete(key);
  store.set(key, null);
}

function parseDraft(json: string | null): DraftInput[] {
  if (json === null) return [];
  try {
    return JSON.parse(json) as DraftInput[];
  } catch {
    return [];
  }
}
