/** Determines which values a start must look up in databases, and the messages about missing ones. */
import type { ResultValue } from '#server/connections/types.ts';
import type { VersionInput } from '#server/versions/version-catalog.ts';
import { isClosedCell, isFixed, parseValue, ruleIndex, valueShape, type FormCell } from '#shared/codecs/input-form.ts';
import type { Input, InputInfo, RunInputValue } from '#shared/contract/parameters.ts';

/**
 * Returns the distinct entered values, without blanks, of columns that allow no other values than those of a Database
 * picker.
 */
export function pickedValues(
  inputs: readonly Input[],
  { Id, Info }: VersionInput,
  values: readonly RunInputValue[],
): { column: number; values: ResultValue[] }[] {
  const strict = Info.Pickers.map((picker) => picker.Type === 'Database' && picker.PreventOtherValues);
  const input = inputs.find((one) => one.Id === Id);
  const [entry] = values.filter((value) => value.ActivityParameterId === Id);
  if (!strict.some(Boolean) || !input || isFixed(input) || entry?.UseDefault || entry?.Value == null) return [];
  const cells = cellsOf(Info, entry.Value);
  return strict.flatMap((isStrict, column) => {
    if (!isStrict) return [];
    const own = cells.filter((cell) => cell.index === column && cell.value !== null && cell.value !== '');
    const distinct = [...new Set(own.map(({ value }) => value))];
    return distinct.length > 0 ? [{ column, values: distinct }] : [];
  });
}

function cellsOf(info: InputInfo, json: string): { index: number; value: FormCell }[] {
  const value = parseValue(info, json);
  const shape = valueShape(info);
  if (shape === 'cell') return [{ index: 0, value: value as FormCell }];
  const rows = shape === 'list' ? (value as FormCell[]).map((cell) => [cell]) : (value as FormCell[][]);
  return rows.flatMap((cells, row) =>
    cells.flatMap((cell, col) =>
      isClosedCell(info, row, col) ? [] : [{ index: ruleIndex(info, row, col), value: cell }],
    ),
  );
}

/** Returns the messages of the specification (activities, section 5). They count columns from 1. */
export function databaseValueIssues(
  info: Pick<InputInfo, 'RangeType'>,
  missing: ReadonlyMap<number, ReadonlySet<ResultValue>>,
): string[] {
  const columns = [...missing].flatMap(([column, values]) => (values.size > 0 ? [column] : []));
  if (info.RangeType === 'SingleCell') return columns.length > 0 ? ['Please choose a valid value.'] : [];
  return columns.map((column) => `Please choose a valid value in column ${column + 1}.`);
}
