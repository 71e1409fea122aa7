/** Reads the saved items of a list: a literal, cells, a name or a table column. */
import type { ValueKind } from '#server/calculation/kinds/value-kind.ts';
import type { DataValidation, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { ListArea } from '#server/executors/activity-definition.ts';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import { from1904 } from '#shared/codecs/date-systems.ts';
import { resolveArea } from './areas.ts';
import type { CellView } from './cell-view.ts';

export interface ListItems {
  /**
   * Without blanks and duplicates. Dates are serial numbers of the 1900 date system; numbers are formatted as
   * JavaScript writes them.
   */
  items: string[];
  usage: ValueKind;
  /** The cells that contain the items, if any. */
  area?: ListArea;
  /** True if formulas decide the items. */
  isCalculated?: boolean;
}

/** Maximum number of items: nobody could choose from a longer list. */
const MAX_ITEMS = 100_000;

/** Returns the validation at a cell; if there are several, the last one, as in Excel. */
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
 * Returns the items of a list source as written in a validation or on the Portal sheet. Returns null if they depend on
 * other cells (OFFSET, INDIRECT of a cell), because the list is then not fixed.
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
  if ((block.bottom - block.top + 1) * (block.right - block.left + 1) > MAX_ITEMS) return null;
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

/** Returns the items in the cells of a list, and their type. */
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

/** Reads an array constant such as {"a","b"}, given directly or by a name. */
function arrayConstant(model: WorkbookModel, text: string): string[] | null {
  const named = model.names.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.text ?? text;
  const inner = /^=?\{(.*)\}$/s.exec(named.trim())?.[1];
  if (inner === undefined) return null;
  return [...inner.matchAll(/"((?:[^"]|"")*)"|([^,;"\s]+)/g)].map(
    (match) => match[1]?.replaceAll('""', '"') ?? match[2]!,
  );
}

/** Excel converts the chosen item of a literal list to a number or Boolean if it looks like one. */
function literalItems(texts: string[]): ListItems {
  const items = [...new Set(texts.filter((text) => text !== ''))];
  const isNumber = items.length > 0 && items.every((item) => /^-?\d+(\.\d+)?$/.test(item));
  if (isNumber) return { items: items.map((item) => String(Number(item))), usage: 'Number' };
  const isBoolean = items.length > 0 && items.every((item) => /^(true|false)$/i.test(item));
  return { items, usage: isBoolean ? 'Boolean' : 'Text' };
}
