/** Two runs of an activity side by side: what is the same, and what is not. */
import { wholeSpecification } from '#shared/codecs/input-form.ts';
import { formatCellValue, type JsonCell } from '#shared/codecs/format-value.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import {
  isSingleValue,
  singleText,
  valueTable,
  type ValueTable,
} from '#renderer/features/runs/status/output-values.ts';

export interface ComparedValue {
  id: number;
  name: string;
  left: string;
  right: string;
  differs: boolean;
  /** Of tables: the cells that differ. */
  cells: CellDifference[];
}

export interface CellDifference {
  /** Its name, or its number from 1. */
  row: string;
  column: string;
  left: string;
  right: string;
}

/** One run's side of an input or output. */
interface Side {
  name: string;
  info: InputInfo | OutputInfo;
  json: string | null;
  files: { name: string; size: number | null }[];
}

type Sides = Map<number, Side>;

/** Inputs of both runs in the order of the left one's; those that only the right one has are last. */
export const compareInputs = (left: ActivityRun, right: ActivityRun): ComparedValue[] =>
  compareSides(inputSides(left), inputSides(right));

export const compareOutputs = (left: ActivityRun, right: ActivityRun): ComparedValue[] =>
  compareSides(outputSides(left), outputSides(right));

function inputSides(run: ActivityRun): Sides {
  const shown = run.Inputs.filter((input) => wholeSpecification(input.ParameterInfo) !== 'Hidden');
  const entries = [...Map.groupBy(shown, (input) => input.ActivityParameterId)];
  return new Map(
    entries.map(([id, inputs]) => {
      const { Name, ParameterInfo, Value } = inputs[0]!;
      const files = inputs.flatMap(({ FileName, ContentLength }) =>
        FileName === null ? [] : [{ name: FileName, size: ContentLength }],
      );
      return [id, { name: Name, info: ParameterInfo, json: Value, files }];
    }),
  );
}

function outputSides(run: ActivityRun): Sides {
  return new Map(
    run.Outputs.map(({ Id, Name, Info, Value }) => {
      const stored = run.StoredFiles.filter(({ ActivityParameterId }) => ActivityParameterId === Id);
      const files = stored.map(({ FileName, ContentLength }) => ({ name: FileName, size: ContentLength }));
      return [Id, { name: Name, info: Info, json: Value, files }];
    }),
  );
}

function compareSides(left: Sides, right: Sides): ComparedValue[] {
  return [...new Set([...left.keys(), ...right.keys()])].map((id) => compareValue(id, left.get(id), right.get(id)));
}

function compareValue(id: number, left: Side | undefined, right: Side | undefined): ComparedValue {
  const { name } = (right ?? left)!;
  const cells = left && right && isTable(left) && isTable(right) ? compareTables(left, right) : [];
  return { id, name, left: sideText(left), right: sideText(right), differs: !isSame(left, right), cells };
}

const isTable = ({ info, json, files }: Side): boolean => files.length === 0 && json !== null && !isSingleValue(info);

function isSame(left: Side | undefined, right: Side | undefined): boolean {
  if (!left || !right) return false;
  // What is stored decides: two numbers may look alike in the workbook's format.
  return left.json === right.json && JSON.stringify(left.files) === JSON.stringify(right.files);
}

function sideText(side: Side | undefined): string {
  if (!side) return 'not in this version';
  if (side.files.length > 0) return side.files.map(({ name }) => name).join(', ');
  if (side.json === null) return '';
  if (isSingleValue(side.info)) return singleText(side.json, side.info);
  const { rows } = valueTable(side.json, side.info, side.name);
  return rows.length === 1 ? '1 row' : `${rows.length} rows`;
}

function compareTables(left: Side, right: Side): CellDifference[] {
  const [a, b] = [left, right].map(({ json, info, name }) => valueTable(json, info, name)) as [ValueTable, ValueTable];
  const columns = Math.max(a.columns.length, b.columns.length);
  const differences: CellDifference[] = [];
  for (let row = 0; row < Math.max(a.rows.length, b.rows.length); row += 1) {
    for (let col = 0; col < columns; col += 1) {
      const values = [a.rows[row]?.cells[col], b.rows[row]?.cells[col]] as const;
      if (JSON.stringify(values[0] ?? null) === JSON.stringify(values[1] ?? null)) continue;
      differences.push({
        row: b.rows[row]?.name || a.rows[row]?.name || String(row + 1),
        column: (b.columns[col] ?? a.columns[col])!.title,
        left: cellText(a, col, values[0]),
        right: cellText(b, col, values[1]),
      });
    }
  }
  return differences;
}

function cellText({ columns }: ValueTable, col: number, value: JsonCell | undefined): string {
  return formatCellValue(value, columns[col]?.format, columns[col]?.usage);
}
