/** Values of a test case as people type them: a cell as a text, a table as lines with tabs between their cells. */
import { allDigits, editText, readCellText, type CellKind } from '#shared/codecs/cell-text.ts';
import { shiftDecimal } from '#shared/codecs/exact-number.ts';
import { readExactNumber, readNumber } from '#shared/codecs/read-number.ts';
import { readDate } from '#shared/codecs/read-date.ts';
import { wantedDate } from '#shared/codecs/date-text.ts';
import { ruleIndex, valueShape, type FormCell } from '#shared/codecs/input-form.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { readingNote } from '#renderer/ui/reading-note.ts';
import { said, t } from '#renderer/language/translate.ts';
import { editedNumber, spokenRegion } from '#renderer/language/typed-numbers.ts';

export type Shape = Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Formats' | 'ColumnHeaderValues'> &
  Partial<Pick<InputInfo, 'Region' | 'ExactNumbers'>>;

/** `Region`: how the workbook writes numbers, which only its inputs say. */
export const shapeOfOutput = (
  { RangeType, CellUsages, Formats, ColumnHeaderValues }: OutputInfo,
  Region: InputInfo['Region'],
): Shape => ({ RangeType, CellUsages, Formats, ColumnHeaderValues, ...(Region ? { Region } : {}) });

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

/** A cell of a line, which has no room for lines and tabs of its own. */
const lineText = (cell: unknown, kind: CellKind): string => cellText(cell, kind).replaceAll(/[\t\r\n]+/g, ' ');

const rowsOf = (value: readonly unknown[]): unknown[][] =>
  value.map((line) => (Array.isArray(line) ? (line as unknown[]) : [line]));

export function textOfValue(info: Shape, json: string | null): string {
  if (json === null) return '';
  const value = JSON.parse(json) as unknown;
  if (!isTable(info) || !Array.isArray(value)) return cellText(value, kindAt(info, 0, 0));
  return rowsOf(value)
    .map((line, row) => line.map((cell, col) => lineText(cell, kindAt(info, row, col))).join('\t'))
    .join('\n');
}

const ERROR = /^#(?:N\/A|[A-Z0-9_/]+[!?])$/;

/** What a text stands for, what is wrong with it, or how it was read where it has two readings. */
interface CellRead {
  cell?: unknown;
  issue?: string;
  note?: string;
}

/** What the cells of a field were, by their texts: those that nobody changed stay what they are. */
type KnownCells = ReadonlyMap<string, unknown>;

const keyOf = (info: Shape, row: number, col: number, text: string): string => `${ruleIndex(info, row, col)} ${text}`;

function knownCells(info: Shape, json: string | null): KnownCells {
  const value: unknown = json === null ? null : JSON.parse(json);
  if (json === null || !isTable(info) || !Array.isArray(value)) return new Map();
  const cells = rowsOf(value).flatMap((line, row) =>
    line.map((cell, col): [string, unknown] => [keyOf(info, row, col, lineText(cell, kindAt(info, row, col))), cell]),
  );
  return new Map(cells);
}

function readCell(text: string, kind: CellKind): CellRead {
  if (ERROR.test(text.trim())) return { cell: { error: text.trim() } };
  if (kind.usage === 'Number' && text.trim() !== '') return kind.isExact ? readExact(text) : readTyped(text, kind);
  if (kind.usage === 'Date' && text.trim() !== '') return readDay(text, kind);
  const { cell } = readCellText(text, kind);
  if (kind.usage === 'Boolean' && typeof cell !== 'boolean') return { issue: said('Value must be TRUE or FALSE') };
  return { cell };
}

const NO_NUMBER = 'Value must be a number';

function readExact(text: string): CellRead {
  const cell = readExactNumber(text);
  return cell === null ? { issue: said(NO_NUMBER) } : { cell };
}

/** The number that the marks of the workbook and those of the person agree on. Whether it was pasted nobody knows here. */
function readTyped(text: string, kind: CellKind): CellRead {
  const spoken = spokenRegion();
  const regions = [kind.region, ...(spoken ? [spoken] : [])];
  const read = (isTyped: boolean): number[] => [
    ...new Set(
      regions.flatMap((region) => {
        const found = readNumber(text, { format: kind.format, isTyped, ...(region ? { region } : {}) });
        return found ? [found.value] : [];
      }),
    ),
  ];
  const [pasted, typed] = [read(false), read(true)];
  const [first, second] = new Set([...pasted, ...typed]);
  if (first === undefined) return { issue: said(NO_NUMBER) };
  if (second === undefined) return { cell: first };
  const isMarks = pasted.length > 1;
  const shownNumber = isMarks ? editedNumber : percentText;
  const shown = { text: text.trim(), first: shownNumber(first), second: shownNumber(second) };
  if (isMarks)
    return {
      issue: t(
        '{text} may be {first} or {second}: write thousands without a mark, or another digit behind the decimal mark',
        shown,
      ),
    };
  return { issue: t('{text} may be {first} or {second}: write it as a percentage, with its sign', shown) };
}

const percentText = (value: number): string => `${editedNumber(Number(shiftDecimal(String(value), 2)))}%`;

function readDay(text: string, kind: CellKind): CellRead {
  const read = readDate(text, kind);
  const spoken = spokenRegion();
  const other = spoken ? readDate(text, { ...kind, region: spoken }) : null;
  const found = read ?? other;
  if (found === null) return { issue: said(`Value must be ${wantedDate(kind.format)}`) };
  if (other !== null && other.value !== found.value) {
    const [first, second] = [editText(found.value, kind), editText(other.value, kind)];
    return {
      issue: t('{text} may be {first} or {second}: write it as one of them', { text: text.trim(), first, second }),
    };
  }
  if (found.note === null) return { cell: found.value };
  return { cell: found.value, note: t('{text} was {read}', { text: text.trim(), read: readingNote(found.note) }) };
}

/** What a field stands for as JSON text; or the first thing that is wrong with it. */
export type ValueRead = { value: string; note: string | null } | { issue: string };

/** @param stored what the field showed at first was made of */
export function valueOfText(info: Shape, text: string, stored: string | null): ValueRead {
  if (stored !== null && text === textOfValue(info, stored)) return { value: stored, note: null };
  if (!isTable(info)) {
    const { cell, issue, note = null } = readCell(text, kindAt(info, 0, 0));
    return issue === undefined ? { value: JSON.stringify(cell), note } : { issue };
  }
  const known = knownCells(info, stored);
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  const issues: string[] = [];
  let note: string | null = null;
  const rows = lines.map((line, row) =>
    line.split('\t').map((typed, col) => {
      const key = keyOf(info, row, col, typed);
      if (known.has(key)) return known.get(key);
      const read = readCell(typed, kindAt(info, row, col));
      if (read.issue !== undefined) issues.push(`${placeText(info, row, col)}: ${read.issue}`);
      note ??= read.note ?? null;
      return read.cell ?? null;
    }),
  );
  if (issues.length > 0) return { issue: firstOf(issues) };
  return { value: JSON.stringify(valueShape(info) === 'list' ? rows.map(([cell]) => cell) : rows), note };
}

function placeText({ ColumnHeaderValues }: Shape, row: number, col: number): string {
  return t('Row {row}, column {column}', { row: row + 1, column: ColumnHeaderValues[col] || col + 1 });
}

function firstOf([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return t('{issue} ({count, plural, one {one more cell} other {# more cells}})', {
    issue: first,
    count: others.length,
  });
}

export const isTable = (info: Pick<Shape, 'RangeType'>): boolean => valueShape(info) !== 'cell';
