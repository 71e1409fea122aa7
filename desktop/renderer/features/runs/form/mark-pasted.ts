/** What is wrong with cells that were just pasted: said at once, and not first by Start. */
import type { Input } from '#shared/contract/parameters.ts';
import { checkInput } from '#shared/rules/input-rules.ts';
import { itemsOf } from './check-form.ts';
import { setIssues, type RunFormStore } from './run-form-store.ts';

/** @param isPasted for places as issues name them */
export async function markPasted(
  store: RunFormStore,
  input: Input,
  isPasted: (row: number, col: number) => boolean,
): Promise<void> {
  const form = store.getState().forms[input.Id]!;
  const items = await itemsOf(store.getState(), input).catch(() => () => null);
  const state = store.getState();
  // What was changed while the lists were fetched is checked by Start.
  if (state.forms[input.Id]?.value !== form.value) return;
  const found = checkInput(input, form, items, isPasted);
  const others = (state.issues[input.Id] ?? []).filter(
    ({ row, col }) => row === undefined || col === undefined || !isPasted(row, col),
  );
  if (found.length > 0 || others.length !== (state.issues[input.Id] ?? []).length)
    setIssues(store, input.Id, [...others, ...found]);
}
