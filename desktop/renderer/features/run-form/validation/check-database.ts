/** Looks up values that must exist in a database before a start; the server checks them again. */
import { ruleIndex, valueShape, isClosedCell, isFixed, type FormCell } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { InputIssue } from '#shared/rules/input-rules.ts';
import { editText } from '#shared/codecs/cell-text.ts';
import { t } from '#renderer/language/translate.ts';
import { cellKind } from '#renderer/features/run-form/form-inputs.ts';
import { isItem } from '#renderer/ui/picker/picker-source.ts';
import { otherValues, pickerSource } from '#renderer/features/run-form/fields/picker-sources.ts';
import type { RunFormState } from '#renderer/features/run-form/run-form-store.ts';

/** Maximum number of distinct values that the form looks up per column. The server looks up all of them. */
const MAX_LOOKUPS = 20;

/** Returns issues with the messages of the specification (activities, section 5). Throws if a call fails. */
export async function databaseIssues({ activity, forms, origin }: RunFormState, input: Input): Promise<InputIssue[]> {
  const { Info } = input;
  const form = forms[input.Id]!;
  if (isFixed(input) || form.useDefault) return [];
  const issues: InputIssue[] = [];
  for (const [column, picker] of Info.Pickers.entries()) {
    if (picker.Type !== 'Database' || !picker.PreventOtherValues) continue;
    const others = otherValues(activity.Inputs, input, column, { forms, origin });
    const source = pickerSource(activity, input, column, { others, origin })!;
    const cells = cellsOf(input, form.value, column);
    const texts = [...new Set(cells.map(({ text }) => text))].slice(0, MAX_LOOKUPS);
    const wrong = new Set<string>();
    for (const text of texts) {
      const wanted = source.seek(text);
      const { Items } = await source.load({ Value: wanted });
      if (!isItem(Items[0]?.Value, wanted)) wrong.add(text);
    }
    const single = valueShape(Info) === 'cell';
    const message = single
      ? t('Please choose a valid value.')
      : t('Please choose a valid value in column {column}.', { column: column + 1 });
    for (const { text, row, col } of cells) {
      if (wrong.has(text)) issues.push(single ? { message } : { message, row, col });
    }
  }
  return issues;
}

interface PickedCell {
  text: string;
  row: number;
  col: number;
}

/** Returns the filled-in cells of a column. */
function cellsOf({ Info }: Input, value: FormCell | FormCell[] | FormCell[][], column: number): PickedCell[] {
  const shape = valueShape(Info);
  const rows =
    shape === 'cell'
      ? [[value as FormCell]]
      : shape === 'list'
        ? (value as FormCell[]).map((cell) => [cell])
        : (value as FormCell[][]);
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, col) => {
      const text = editText(cell, cellKind(Info, row, col));
      const isPicked = ruleIndex(Info, row, col) === column && text !== '' && !isClosedCell(Info, row, col);
      return isPicked ? [{ text, row, col }] : [];
    }),
  );
}
