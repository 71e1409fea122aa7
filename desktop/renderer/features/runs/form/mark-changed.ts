/** What is wrong with cells that were just typed, filled or pasted: said at once, and not first by Start. */
import type { Input } from '#shared/contract/parameters.ts';
import { checkInput, type ChosenCells, type InputIssue } from '#shared/rules/input-rules.ts';
import { itemsOf } from './check-form.ts';
import { askedIssue } from './rule-notes.ts';
import { setIssues, type RunFormStore } from './run-form-store.ts';

/**
 * Marks the cells and answers what is wrong with them.
 * @param isChanged for places as issues name them
 */
export async function markChanged(
  store: RunFormStore,
  input: Input,
  isChanged: ChosenCells,
): Promise<readonly InputIssue[]> {
  const items = await itemsOf(store.getState(), input).catch(() => () => null);
  // What was pasted is drawn before 50,000 rows of it are checked.
  await new Promise((resolve) => void setTimeout(resolve));
  // As the form is by now: other cells may have been filled in while the lists were fetched.
  const state = store.getState();
  const before = state.issues[input.Id] ?? [];
  const found = checkInput(input, state.forms[input.Id]!, items, isChanged).map((issue) =>
    askedIssue(input, state.forms[input.Id]!, issue),
  );
  const others = before.filter(({ row, col }) => row === undefined || col === undefined || !isChanged(row, col));
  if (found.length > 0 || others.length !== before.length)
    setIssues(store, input.Id, [...others, ...found].toSorted(byPlace));
  return found;
}

/** What concerns no single cell is last. */
const byPlace = (a: InputIssue, b: InputIssue): number => placeOf(a) - placeOf(b) || (a.col ?? 0) - (b.col ?? 0);

const placeOf = ({ row }: InputIssue): number => row ?? Number.MAX_SAFE_INTEGER;
