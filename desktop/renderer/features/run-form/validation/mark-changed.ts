/** Reports issues of cells right after they were typed, filled or pasted, and not only at the start. */
import type { Input } from '#shared/contract/parameters.ts';
import { checkInput, type ChosenCells, type InputIssue } from '#shared/rules/input-rules.ts';
import { itemsOf } from './check-form.ts';
import { askedIssue } from './rule-notes.ts';
import { setIssues, type RunFormStore } from '#renderer/features/run-form/run-form-store.ts';

/**
 * Marks the cells and returns their issues.
 * @param isChanged selects cells by their positions in issues
 */
export async function markChanged(
  store: RunFormStore,
  input: Input,
  isChanged: ChosenCells,
): Promise<readonly InputIssue[]> {
  const items = await itemsOf(store.getState(), input).catch(() => () => null);
  // Render the pasted cells before checking up to 50,000 rows.
  await new Promise((resolve) => void setTimeout(resolve));
  // Read the current state: other cells may have been filled in while the lists were fetched.
  const state = store.getState();
  const before = state.issues[input.Id] ?? [];
  const found = checkInput(input, state.forms[input.Id]!, items, isChanged).map((issue) =>
    askedIssue(input, state.forms[input.Id]!, issue),
  );
  const others = before.filter(({ row, col }) => row === undefined || col === undefined || !isChanged(row, col));
  if (found.length > 0 || others.length !== before.length)
    setIssues(store, input.Id, [...others, ...found].toSorted(byPosition));
  return found;
}

/** Issues without a cell come last. */
const byPosition = (a: InputIssue, b: InputIssue): number => rowOf(a) - rowOf(b) || (a.col ?? 0) - (b.col ?? 0);

const rowOf = ({ row }: InputIssue): number => row ?? Number.MAX_SAFE_INTEGER;
