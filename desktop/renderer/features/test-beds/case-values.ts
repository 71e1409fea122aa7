/** Values of a test case as text: a cell as its text, a table as lines with tab-separated cells. */
import { allDigits, cellProblem, editText, readCellText, type CellKind } from '#shared/codecs/cell-text.ts';
import { shiftDecimal } from '#shared/codecs/exact-number.ts';
import { readNumber } from '#shared/codecs/read-number.ts';
import { ruleIndex, valueShape, type FormCell } from '#shared/codecs/input-form.ts';
import type { TextChoice } from '#shared/codecs/readings.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { readingNote } from '#renderer/ui/reading-note.ts';
import { personRegion } from '#renderer/language/region.ts';
import { said, t } from '#renderer/language/translate.ts';
import { editedNumber } from '#renderer/language/typed-numbers.ts';

export type Shape = Pick<InputInfo, 'RangeType' | 'CellUsages' | 'Formats' | 'ColumnHeaderValues'> &
  Partial<Pick<InputInfo, 'ExactNumbers'>>;

export const shapeOfOutput = ({ RangeType, CellUsages, Formats, ColumnHeaderValues }: OutputInfo): Shape => ({
  RangeType,
  CellUsages,
  Formats,
  ColumnHeaderValues,
});

function kindAt(info: Shape, row: number, col: number): CellKind {
  const index = ruleIndex(info, row, col);
  return {
    usage: info.CellUsages[index] ?? info.CellUsages[0] ?? 'Text',
    format: info.Formats[index] ?? info.Formats[0] ?? 'General',
    maxSize: null,
    region: personRegion(),
    canAsk: true,
    ...(info.ExactNumbers ? { isExact: true } : {}),
  };
}

const isError = (cell: unknown): cell is { error: string } =>
  typeof cell === 'object' && cell !== null && 'error' in cell && typeof cell.error === 'string';

function cellText(cell: unknown, kind: CellKind): string {
  if (isError(cell)) return cell.error;
  // Show all digits, so that editing one of them does not lose the others.
  if (typeof cell === 'number' && kind.usage === 'Number') return allDigits(cell, kind);
  return editText(cell as FormCell, kind);
}

/** Returns the text of a table cell, in which line breaks and tabs become spaces. */
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

/** The result of reading a text: its value or an issue, and a note if the text is ambiguous. */
interface CellRead {
  cell?: unknown;
  issue?: string;
  note?: string;
}

/** The field's initial cells by their texts. Unchanged cells retain their exact values. */
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
  const { cell, note, choices } = readCellText(text, kind);
  if (choices) return { issue: choicesIssue(text, kind, choices) };
  if (kind.usage === 'Boolean' && typeof cell !== 'boolean') return { issue: said('Value must be TRUE or FALSE') };
  const problem = cellProblem(cell, kind);
  if (problem !== null) return { issue: said(problem) };
  const issue = typeof cell === 'number' && kind.usage === 'Number' ? percentIssue(text, cell, kind) : null;
  if (issue !== null) return { issue };
  if (note === null || kind.usage !== 'Date') return { cell };
  return { cell, note: t('{text} was {read}', { text: text.trim(), read: readingNote(note) }) };
}

function choicesIssue(text: string, kind: CellKind, choices: readonly TextChoice[]): string {
  const [first = '', second] = choices.map(({ cell }) => editText(cell, kind));
  const shown = { text: text.trim(), first, second: second ?? '' };
  if (second === undefined)
    return t('{text} is not in the format of your region: write {first} if you mean this', shown);
  return kind.usage === 'Date'
    ? t('{text} can mean {first} or {second}: write one of these instead', shown)
    : t('{text} can mean {first} or {second}: omit the thousands separator, or add another decimal place', shown);
}

/**
 * Excel interprets text typed into a percent cell differently from pasted text, and here it is unknown which it was.
 */
function percentIssue(text: string, pasted: number, kind: CellKind): string | null {
  const typed = readNumber(text, { ...kind, isTyped: true })?.value ?? pasted;
  if (typed === pasted) return null;
  const shown = { text: text.trim(), first: percentText(pasted), second: percentText(typed) };
  return t('{text} can mean {first} or {second}: write it with a percent sign', shown);
}

const percentText = (value: number): string => `${editedNumber(Number(shiftDecimal(String(value), 2)))}%`;

/** The field's value as JSON, or its first issue. */
export type ValueRead = { value: string; note: string | null } | { issue: string };

/** @param stored JSON of the value from which the field's initial text was made */
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
      if (read.issue !== undefined) issues.push(`${positionText(info, row, col)}: ${read.issue}`);
      note ??= read.note ?? null;
      return read.cell ?? null;
    }),
  );
  if (issues.length > 0) return { issue: firstOf(issues) };
  return { value: JSON.stringify(valueShape(info) === 'list' ? rows.map(([cell]) => cell) : rows), note };
}

function positionText({ ColumnHeaderValues }: Shape, row: number, col: number): string {
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
