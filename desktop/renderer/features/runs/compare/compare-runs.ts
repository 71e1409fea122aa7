/** Compares runs of an activity side by side. */
import { wholeSpecification } from '#shared/codecs/input-form.ts';
import { type JsonCell } from '#shared/codecs/format-value.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { isSingleValue, type ValueTable } from '#shared/codecs/value-table.ts';
import { singleText, valueTable } from '#renderer/ui/values/output-values.ts';
import { inputNote } from '#renderer/features/runs/status/input-note.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import { t } from '#renderer/language/translate.ts';
import { takenValue } from './input-value.ts';

export interface ComparedValue {
  id: number;
  name: string;
  /** One text per run, in the order of the runs. */
  texts: string[];
  /** Difference between each run's number and the first run's: '+5 (+10 %)'; '' if there is nothing to say. */
  changes: string[];
  /** How each run got the value if nobody entered it; else ''. Notes do not count as differences. */
  notes: string[];
  differs: boolean;
  /** For tables: the cells that differ. */
  cells: CellDifference[];
}

export interface CellDifference {
  /** The name of the row, or its number from 1. */
  row: string;
  column: string;
  texts: string[];
}

/** The value of an input or output in one run. */
interface Side {
  name: string;
  info: InputInfo | OutputInfo;
  json: string | null;
  note: string;
  files: { name: string; size: number | null }[];
}

type Sides = Map<number, Side>;

/** Compares the inputs in the order of the first run. Inputs that only later runs have come last. */
export const compareInputs = (runs: readonly ActivityRun[]): ComparedValue[] => compareSides(runs.map(inputSides));

export const compareOutputs = (runs: readonly ActivityRun[]): ComparedValue[] => compareSides(runs.map(outputSides));

function inputSides(run: ActivityRun): Sides {
  const shown = run.Inputs.filter((input) => wholeSpecification(input.ParameterInfo) !== 'Hidden');
  const entries = [...Map.groupBy(shown, (input) => input.ActivityParameterId)];
  return new Map(
    entries.map(([id, inputs]) => {
      const input = inputs[0]!;
      const { Name, ParameterInfo } = input;
      const note = input.HasPresetValue ? t('Preset') : inputNote(input, run.Type);
      const files = inputs.flatMap(({ FileName, ContentLength }) =>
        FileName === null ? [] : [{ name: FileName, size: ContentLength }],
      );
      return [id, { name: Name, info: ParameterInfo, json: takenValue(input, run.Type), note, files }];
    }),
  );
}

function outputSides(run: ActivityRun): Sides {
  return new Map(
    run.Outputs.map(({ Id, Name, Info, Value }) => {
      const stored = run.StoredFiles.filter(({ ActivityParameterId }) => ActivityParameterId === Id);
      const files = stored.map(({ FileName, ContentLength }) => ({ name: FileName, size: ContentLength }));
      return [Id, { name: Name, info: Info, json: Value, note: '', files }];
    }),
  );
}

function compareSides(runs: readonly Sides[]): ComparedValue[] {
  const ids = new Set(runs.flatMap((sides) => [...sides.keys()]));
  return [...ids].map((id) =>
    compareValue(
      id,
      runs.map((sides) => sides.get(id)),
    ),
  );
}

function compareValue(id: number, sides: readonly (Side | undefined)[]): ComparedValue {
  const present = sides.filter((side) => side !== undefined);
  const areTables = present.length === sides.length && present.every(isTable);
  return {
    id,
    name: present.at(-1)!.name,
    texts: sides.map(sideText),
    changes: sides.map((side, at) => (at === 0 ? '' : changeOf(sides[0], side))),
    notes: sides.map((side) => side?.note ?? ''),
    differs: sides.some((side) => !isSame(sides[0], side)),
    cells: areTables ? compareTables(present) : [],
  };
}

function changeOf(first: Side | undefined, other: Side | undefined): string {
  const [from, to] = [numberOf(first), numberOf(other)];
  return from === null || to === null ? '' : changeText(from, to, (value) => singleText(String(value), other!.info));
}

function numberOf(side: Side | undefined): number | null {
  if (!side || side.json === null || !isSingleValue(side.info) || side.info.CellUsages[0] !== 'Number') return null;
  const value: unknown = JSON.parse(side.json);
  return typeof value === 'number' ? value : null;
}

/**
 * Returns '+5 (+10 %)'; '' if both are equal. @param format formats the difference; if the result shows no digit other
 * than 0, the difference is written out
 */
export function changeText(from: number, to: number, format: (value: number) => string): string {
  const change = to - from;
  if (change === 0) return '';
  const size = format(Math.abs(change));
  const sign = change > 0 ? '+' : '−';
  const text = `${sign}${/[1-9]/.test(size) ? size : Math.abs(change).toPrecision(3)}`;
  if (from === 0) return text;
  const percent = Math.abs((change / from) * 100);
  // The percentage is relative to the absolute value, so that its sign matches the difference if the number is
  // negative.
  return `${text} (${sign}${numberText(percent, { maximumSignificantDigits: 3 })} %)`;
}

const isTable = ({ info, json, files }: Side): boolean => files.length === 0 && json !== null && !isSingleValue(info);

function isSame(left: Side | undefined, right: Side | undefined): boolean {
  if (!left || !right) return false;
  // Compare the stored values: two numbers may look alike in the workbook's format.
  return left.json === right.json && JSON.stringify(left.files) === JSON.stringify(right.files);
}

function sideText(side: Side | undefined): string {
  if (!side) return t('not in this version');
  if (side.files.length > 0) return side.files.map(({ name }) => name).join(', ');
  if (side.json === null) return '';
  if (isSingleValue(side.info)) return singleText(side.json, side.info);
  const { rows } = valueTable(side.json, side.info, side.name);
  return t('{rowsCount, plural, one {1 row} other {# rows}}', { rowsCount: rows.length });
}

function compareTables(sides: readonly Side[]): CellDifference[] {
  const tables = sides.map(({ json, info, name }) => valueTable(json, info, name));
  const maxOf = (count: (table: ValueTable) => number): number => Math.max(...tables.map(count));
  const columns = maxOf((table) => table.columns.length);
  const rows = maxOf((table) => table.rows.length);
  const differences: CellDifference[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < columns; col += 1) {
      const values = tables.map((table) => table.rows[row]?.cells[col]);
      const [first, ...others] = values.map((value) => JSON.stringify(value ?? null));
      if (others.every((other) => other === first)) continue;
      const newest = tables.findLast((table) => table.columns[col] !== undefined)!;
      differences.push({
        row: tables.findLast((table) => table.rows[row]?.name)?.rows[row]?.name || String(row + 1),
        column: newest.columns[col]!.title,
        texts: tables.map((table, at) => cellText(table, col, values[at])),
      });
    }
  }
  return differences;
}

function cellText({ columns }: ValueTable, col: number, value: JsonCell | undefined): string {
  return shownValue(value, columns[col]?.format, columns[col]?.usage);
}
