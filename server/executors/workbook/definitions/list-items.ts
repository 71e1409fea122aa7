/** The items of a list: a literal, cells, a name or a table column, as they were saved. */
import type { ValueKind } from '#server/calculation/kinds/value-kind.ts';
import type { DataValidation, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { ListArea } from '#server/executors/executor.ts';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import { from1904 } from '#shared/codecs/date-systems.ts';
import { resolveArea } from './areas.ts';
import type { CellView } from './cell-view.ts';

export interface ListItems {
  /** Without blanks and repetitions. Dates as serial days of the 1900 system, numbers as JavaScript writes them. */
  items: string[];
  usage: ValueKind;
  /** The cells they stand in, where they stand in cells. */
  area?: ListArea;
  /** Whether formulas decide them. */
  isCalculated?: boolean;
}

/** A list nobody could choose from any more. */
const MOST_ITEMS = 100_000;

/** The validation at a cell; of several, the last one as in Excel. */
export function validationAt(model: WorkbookModel, sheet: number, { row, col }: CellPosition): DataValidation | null {
  return (
    model.sheets[sheet]!.validations.findLast(
      ({ type, blocks }) =>
        type !== 'none' &&
        blocks.some(({ top, left, bottom, right }) => row >= top && row <= bottom && col >= left && col <= right),
    ) ?? null
  );
}

/**
 * The items of a list's source as a validation or the Portal sheet names it. Null where they depend on other cells
 * (OFFSET, INDIRECT of a cell) and so are no fixed list.
 */
export function listItems(
  model: WorkbookModel,
  view: CellView,
  source: string,
  sheet: number | null,
): ListItems | null {
  const text = source.trim().replace(/^=/, '').trim();
  const quoted = /^"((?:[^"]|"")*)"$/s.exec(text);
  if (quoted)
    return literalItems(
      quoted[1]!
        .replaceAll('""', '"')
        .split(',')
        .map((item) => item.trim()),
    );
  const indirect = /^INDIRECT\(\s*"((?:[^"]|"")*)"\s*\)$/i.exec(text);
  if (indirect) return listItems(model, view, indirect[1]!.replaceAll('""', '"'), sheet);
  const constant = arrayConstant(model, text);
  if (constant) return literalItems(constant);
  const found = resolveArea(model, text, sheet);
  if ('problem' in found) return null;
  const { block, sheet: from, spills } = found.area;
  if ((block.bottom - block.top + 1) * (block.right - block.left + 1) > MOST_ITEMS) return null;
  let isCalculated = spills;
  const values: ListValue[] = [];
  for (let row = block.top; row <= block.bottom; row++) {
    for (let col = block.left; col <= block.right; col++) {
      const { value, format, formula } = view.cell(from, row, col);
      isCalculated ||= formula !== null;
      values.push({ value, format });
    }
  }
  return { ...cellItems(values, model.date1904), area: { sheet: from, block, spills }, isCalculated };
}

/** A cell of a list with its number format. */
export interface ListValue {
  value: CellValue;
  format: string;
}

/** The items of cells that hold a list, and their kind. */
export function cellItems(cells: readonly ListValue[], date1904: boolean): Pick<ListItems, 'items' | 'usage'> {
  const values = cells.flatMap(({ value, format }) =>
    value === null || value === '' || value instanceof CellError
      ? []
      : [{ value, format, isDay: typeof value === 'number' && isDate(format) }],
  );
  const isDays = values.length > 0 && values.every(({ isDay }) => isDay);
  const items = values.map(({ value, format }) => itemText(value, isDays && date1904 ? format : null));
  const kinds = new Set(values.map(({ value }) => typeof value));
  const [kind] = kinds;
  const usage = isDays ? 'Date' : kinds.size === 1 && kind === 'number' ? 'Number' : onlyBooleans(kinds);
  return { items: [...new Set(items)], usage };
}

const onlyBooleans = (kinds: ReadonlySet<string>): ValueKind =>
  kinds.size === 1 && kinds.has('boolean') ? 'Boolean' : 'Text';

function itemText(value: CellValue, format1904: string | null): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(format1904 === null ? value : from1904(value as number, format1904));
}

/** {"a","b"} behind a name. */
function arrayConstant(model: WorkbookModel, text: string): string[] | null {
  const named = model.names.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.text ?? text;
  const inner = /^=?\{(.*)\}$/s.exec(named.trim())?.[1];
  if (inner === undefined) return null;
  return [...inner.matchAll(/"((?:[^"]|"")*)"|([^,;"\s]+)/g)].map(
    (match) => match[1]?.replaceAll('""', '"') ?? match[2]!,
  );
}

/** Excel turns the choice of a literal into a number or truth value where it looks like one. */
function literalItems(texts: string[]): ListItems {
  const items = [...new Set(texts.filter((text) => text !== ''))];
  const isNumber = items.length > 0 && items.every((item) => /^-?\d+(\.\d+)?$/.test(item));
  if (isNumber) return { items: items.map((item) => String(Number(item))), usage: 'Number' };
  const isBoolean = items.length > 0 && items.every((item) => /^(true|false)$/i.test(item));
  return { items, usage: isBoolean ? 'Boolean' : 'Text' };
}
