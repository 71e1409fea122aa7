/** Values of a test case as people type them: a cell as a text, a table as lines with tabs between their cells. */
import { allDigits, editText, parseCellText, type CellKind } from '#shared/codecs/cell-text.ts';
import { ruleIndex, valueShape, type FormCell } from '#shared/codecs/input-form.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';

type Shape = Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Formats'> &
  Partial<Pick<InputInfo, 'Region' | 'ExactNumbers'>>;

export const shapeOfOutput = ({ RangeType, CellUsages, Formats }: OutputInfo): Shape => ({
  RangeType,
  CellUsages,
  Formats,
});

function kindAt(info: Shape, row: number, col: number): CellKind {
  const index = ruleIndex(info, row, col);
  return {
    usage: info.CellUsages[index] ?? info.CellUsages[0] ?? 'Text',
    format: info.Formats[index] ?? info.Formats[0] ?? 'General',
    maxSize: null,
    ...(info.Region ? { region: info.Region } : {}),
    ...(info.ExactNumbers ? { isExact: true } : {}),
  };
}

const isError = (cell: unknown): cell is { error: string } =>
  typeof cell === 'object' && cell !== null && 'error' in cell && typeof cell.error === 'string';

function cellText(cell: unknown, kind: CellKind): string {
  if (isError(cell)) return cell.error;
  // All its digits: what is edited for one of them must not lose the others.
  if (typeof cell === 'number' && kind.usage === 'Number') return allDigits(cell, kind);
  return editText(cell as FormCell, kind);
}

const ERROR = /^#(?:N\/A|[A-Z0-9_/]+[!?])$/;

const cellOf = (text: string, kind: CellKind): unknown =>
  ERROR.test(text.trim()) ? { error: text.trim() } : parseCellText(text, kind);

export function textOfValue(info: Shape, json: string | null): string {
  if (json === null) return '';
  const value = JSON.parse(json) as unknown;
  const shape = valueShape(info);
  if (shape === 'cell' || !Array.isArray(value)) return cellText(value, kindAt(info, 0, 0));
  const lines = (value as unknown[]).map((line, row) =>
    (Array.isArray(line) ? (line as unknown[]) : [line])
      .map((cell, col) => cellText(cell, kindAt(info, row, col)).replaceAll(/[\t\r\n]+/g, ' '))
      .join('\t'),
  );
  return lines.join('\n');
}

export function valueOfText(info: Shape, text: string): string {
  const shape = valueShape(info);
  if (shape === 'cell') return JSON.stringify(cellOf(text, kindAt(info, 0, 0)));
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  const rows = lines.map((line, row) => line.split('\t').map((cell, col) => cellOf(cell, kindAt(info, row, col))));
  return JSON.stringify(shape === 'list' ? rows.map(([cell]) => cell) : rows);
}

export const isTable = (info: Shape): boolean => valueShape(info) !== 'cell';
