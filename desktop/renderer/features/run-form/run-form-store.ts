/** The state of a run form. Each form has its own store, so that a keystroke renders only one field. */
import { initialFormInput, type FormCell, type FormInput } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { InputIssue } from '#shared/rules/input-rules.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { createUniqueId } from '#renderer/api/unique-id.ts';
import { withWorkbookColumns, type Forms } from './form-inputs.ts';
import { OWN_FORM, type FormOrigin } from './form-origin.ts';
import { NOTHING_LIVE, withLiveValues, type LiveValues } from './live-values.ts';

export interface Upload {
  fileName: string;
  /** In bytes. */
  sent: number;
  total: number;
}

export interface RunFormState {
  activity: Activity;
  origin: FormOrigin;
  forms: Forms;
  /** Ids of the inputs that differ from the activity's initial values. Drafts store these. */
  changed: ReadonlySet<number>;
  issues: Record<number, InputIssue[]>;
  /** Uploads in progress, by input. */
  uploads: Record<number, Upload>;
  /** Heading above the form after a refused start. */
  title: string | null;
  /** Messages that belong to no input. */
  general: string[];
  attempt: number;
  /** Id of the next start: sending the same id twice starts only one run. Each change creates a new id. */
  uniqueId: string;
  /** What the workbook calculates for the form. */
  live: LiveValues;
  /** Forms that a response is about to write; this does not count as a user's change. */
  liveForms: Forms | null;
  /** True after the form was started or discarded; nothing is stored any more. */
  isDone: boolean;
}

export type RunFormStore = StoreApi<RunFormState>;

/** `preloaded` holds values of an earlier run or link, `draft` what was typed before; the draft takes precedence. */
export function createRunForm(
  activity: Activity,
  preloaded: Forms,
  draft: Forms,
  origin: FormOrigin = OWN_FORM,
): RunFormStore {
  const forms: Forms = {};
  for (const input of activity.Inputs) {
    const form = draft[input.Id] ?? preloaded[input.Id];
    forms[input.Id] = form ? withWorkbookColumns(input, form) : initialFormInput(input);
  }
  const changed = new Set([...Object.keys(preloaded), ...Object.keys(draft)].map(Number));
  return createStore<RunFormState>(() => ({
    activity,
    origin,
    forms,
    changed,
    issues: {},
    uploads: {},
    title: null,
    general: [],
    attempt: 0,
    uniqueId: createUniqueId(),
    live: NOTHING_LIVE,
    liveForms: null,
    isDone: false,
  }));
}

/**
 * A change clears the input's messages. In a grid it clears only those of changed cells, because the others are still
 * wrong.
 */
export function changeForm(store: RunFormStore, id: number, form: FormInput): void {
  store.setState((state) => ({
    forms: { ...state.forms, [id]: form },
    changed: new Set(state.changed).add(id),
    issues: { ...state.issues, [id]: remainingIssues(state, id, form) },
    uniqueId: createUniqueId(),
  }));
}

/** Fills several inputs at once, as if the user had typed them. */
export function fillForms(store: RunFormStore, forms: Forms): void {
  store.setState((state) => {
    const filled = { ...state.forms };
    const changed = new Set(state.changed);
    const issues = { ...state.issues };
    for (const input of state.activity.Inputs) {
      const form = forms[input.Id];
      if (!form) continue;
      filled[input.Id] = withWorkbookColumns(input, form);
      changed.add(input.Id);
      issues[input.Id] = [];
    }
    return { forms: filled, changed, issues, uniqueId: createUniqueId() };
  });
}

function remainingIssues(state: RunFormState, id: number, form: FormInput): InputIssue[] {
  const before = state.forms[id]!.value;
  const left = (state.issues[id] ?? []).filter((issue) => {
    // Cells that are only counted, not listed, are still considered wrong.
    if (issue.more !== undefined) return true;
    const cell = cellOf(form.value, issue);
    return cell !== undefined && cell === cellOf(before, issue);
  });
  return left.some(({ more }) => more === undefined) ? left : [];
}

/** Returns undefined for issues of the whole input, and for cells that do not exist. */
function cellOf(value: FormInput['value'], { row, col }: InputIssue): FormCell | undefined {
  if (row === undefined || col === undefined || !Array.isArray(value)) return undefined;
  const cells = value[row];
  return Array.isArray(cells) ? cells[col] : cells;
}

/** Resets an input to the activity's initial value. */
export function resetForm(store: RunFormStore, input: Input): void {
  store.setState((state) => {
    const changed = new Set(state.changed);
    changed.delete(input.Id);
    return {
      changed,
      forms: withLiveValues([input], { ...state.forms, [input.Id]: initialFormInput(input) }, state.live),
      issues: { ...state.issues, [input.Id]: [] },
      uniqueId: createUniqueId(),
    };
  });
}

export function setUpload(store: RunFormStore, id: number, upload: Upload | null): void {
  store.setState(({ uploads }) => {
    const { [id]: _, ...others } = uploads;
    return { uploads: upload ? { ...others, [id]: upload } : others };
  });
}

export function setIssues(store: RunFormStore, id: number, issues: InputIssue[]): void {
  store.setState((state) => ({ issues: { ...state.issues, [id]: issues } }));
}

/** Shows a refused start: the summary takes the focus. */
export function refuseStart(
  store: RunFormStore,
  refusal: { title: string; issues?: Record<number, InputIssue[]>; general?: string[] },
): void {
  const { title, issues = {}, general = [] } = refusal;
  store.setState((state) => ({ title, issues, general, attempt: state.attempt + 1 }));
}

export const hasIssues = (issues: Record<number, InputIssue[]>): boolean =>
  Object.values(issues).some((list) => list.length > 0);

/** Assigns the server's messages to inputs by name; other messages apply to the whole form. */
export function issuesOfModelState(
  inputs: readonly Input[],
  modelState: Record<string, string[]>,
): { issues: Record<number, InputIssue[]>; general: string[] } {
  const issues: Record<number, InputIssue[]> = {};
  const general: string[] = [];
  for (const [name, messages] of Object.entries(modelState)) {
    const input = inputs.find((candidate) => candidate.Name === name);
    if (input) issues[input.Id] = messages.map((message) => ({ message }));
    else general.push(...messages);
  }
  return { issues, general };
}
