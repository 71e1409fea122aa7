/**
 * Requests from the server what the workbook calculates for a form. It debounces changes and sends one request at a
 * time.
 */
import { encodeInput } from '#shared/codecs/input-form.ts';
import type { UpdateUiBody, UpdateUiResult } from '#shared/contract/forms.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { t } from '#renderer/language/translate.ts';
import { liveOf, updatedNames, withLiveValues } from './live-values.ts';
import type { RunFormState, RunFormStore } from './run-form-store.ts';

/** Debounce in milliseconds after the last change. */
const DELAY = 250;

export interface FormUpdates {
  /** Sends a request now and after each change. Returns a function that stops this. */
  start: () => () => void;
  refresh: () => void;
}

export function createFormUpdates(
  store: RunFormStore,
  ask: (body: UpdateUiBody) => Promise<UpdateUiResult>,
  announce: (text: string) => void,
): FormUpdates {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let uniqueId: string | null = null;
  let isAsking = false;
  let isStopped = false;
  /** True if the form changed after the request in flight was sent, so its response is outdated. */
  let isStale = false;
  let changedId: number | null = null;

  const stopTimer = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };

  const request = async (): Promise<void> => {
    stopTimer();
    if (isAsking) {
      isStale = true;
      return;
    }
    isAsking = true;
    isStale = false;
    setLive(store, { isUpdating: true });
    try {
      const answer = await ask(bodyOf(store.getState(), uniqueId, changedId));
      uniqueId = answer.UniqueId;
      if (!isStale && !isStopped) apply(store, answer, changedId, announce);
    } catch (error) {
      if (!isStale && !isStopped) setLive(store, { failure: toFailure(error).message });
    }
    isAsking = false;
    if (isStale && timer === null && !isStopped) await request();
    else if (!isStale) setLive(store, { isUpdating: false });
  };

  return {
    start() {
      isStopped = false;
      const unsubscribe = store.subscribe((state, before) => {
        // Values written by the response do not cause another request.
        if (state.forms === before.forms || before.liveForms === state.forms || state.isDone) return;
        changedId = changedInput(state, before);
        isStale = true;
        stopTimer();
        timer = setTimeout(() => void request(), DELAY);
      });
      void request();
      return () => {
        isStopped = true;
        unsubscribe();
        stopTimer();
      };
    },
    refresh: () => void request(),
  };
}

function apply(
  store: RunFormStore,
  answer: UpdateUiResult,
  changedId: number | null,
  announce: (text: string) => void,
): void {
  const { activity, forms, live: before } = store.getState();
  const after = liveOf(activity.Inputs, answer, before);
  const names = updatedNames(activity.Inputs, forms, { before, after, changedId });
  store.setState({ live: after, liveForms: withLiveValues(activity.Inputs, forms, after) });
  store.setState(({ liveForms }) => (liveForms ? { forms: liveForms, liveForms: null } : {}));
  // Mark the written forms as checked: the response wrote only values of the workbook itself, which no rule concerns.
  store.setState(({ live, forms: now }) => ({ live: { ...live, checked: now } }));
  if (names.length > 0) announce(t('{names} updated', { names: names.join(', ') }));
}

function setLive(store: RunFormStore, change: Partial<RunFormState['live']>): void {
  store.setState(({ live }) => ({ live: { ...live, ...change } }));
}

const changedInput = (state: RunFormState, before: RunFormState): number | null =>
  state.activity.Inputs.find(({ Id }) => state.forms[Id] !== before.forms[Id])?.Id ?? null;

function bodyOf({ activity, forms }: RunFormState, UniqueId: string | null, changedId: number | null): UpdateUiBody {
  const index = activity.Inputs.findIndex(({ Id }) => Id === changedId);
  return {
    ActivityId: activity.Id,
    ActivityVersion: activity.Version,
    UniqueId,
    Inputs: activity.Inputs.flatMap((input) => encodeInput(input, forms[input.Id]!)),
    ChangedInputIndex: index < 0 ? null : index,
    ChangedInputColumn: null,
  };
}
