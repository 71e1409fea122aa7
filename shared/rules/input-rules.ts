/** Validates inputs before they are sent, with the specification's messages (activities, section 5). */
import {
  cleanValue,
  isBlankRow,
  isClosedCell,
  isFileInput,
  isFixed,
  ruleIndex,
  valueShape,
  mayUseDefault,
  numberCell,
  wholeSpecification,
  type FormCell,
  type FormInput,
} from '../codecs/input-form.ts';
import { conditionIssue } from '../codecs/condition-columns.ts';
import { isDateValue, wantedDate } from '../codecs/date-text.ts';
import { formatFileSize } from '../codecs/file-size.ts';
import type { Input, InputInfo, ValueRule } from '../contract/parameters.ts';
import { outsideList, type PickerItems } from './outside-list.ts';
import { holdsDefault } from './untouched-default.ts';
import { breaksBounds, listMessage, ruleAt, ruleMessage } from './value-rules.ts';

export { decodeInput, encodeInput, initialFormInput } from '../codecs/input-form.ts';

/** A problem of an input; `row` and `col` (from 0) identify the cell if the input has several. */
export interface InputIssue {
  message: string;
  /** Title of the workbook's own alert. */
  title?: string;
  row?: number;
  col?: number;
  /** Only in the last issue of a long list: number of further cells that it stands for. */
  more?: number;
}

/** Returns the total number of problems. */
export const countIssues = (issues: readonly InputIssue[]): number =>
  issues.reduce((count, { more = 1 }) => count + more, 0);

/** Shown above a form that could not be sent. */
export const FORM_ISSUE = 'Please correct the errors shown.';

/** Shown above the form of an activity that cannot be run until its editor has chosen a folder. */
export const UNCONFIGURED = 'Activity cannot be run because it is not configured correctly';

/** Returns whether the input's server folder has not been preset yet; only the editor can choose it. */
export const isUnconfigured = (input: Pick<Input, 'Info' | 'PresetValue'>): boolean =>
  input.Info.CellUsages[0] === 'StaticFolder' && input.PresetValue === null;

/** Maximum number of issues reported per input: a column of 50,000 wrong cells does not need 50,000 messages. */
const MAX_ISSUES = 100;

const noItems: PickerItems = () => null;

/** Selects cells to check, by row and column as used in issues. */
export type ChosenCells = (row: number, col: number) => boolean;

/**
 * Returns all problems of an input. Empty if it can be sent, or if it still holds the workbook's own value. With
 * `chosen`, only the values of those cells are checked, and missing values are not reported.
 */
export function checkInput(
  input: Input,
  form: FormInput,
  items: PickerItems = noItems,
  chosen: ChosenCells | null = null,
): InputIssue[] {
  if (input.PresetValueError !== null) return [{ message: input.PresetValueError }];
  if (isFixed(input)) return [];
  const { Info } = input;
  if (form.useDefault && mayUseDefault(Info)) return [];
  if (isFileInput(Info)) return checkFiles(Info, form);
  const found = valueShape(Info) === 'cell' ? checkSingle(input, form, items) : checkCells(Info, form, items, chosen);
  return found.length > 0 && holdsDefault(Info, form.value) ? [] : found;
}

function checkSingle(input: Input, form: FormInput, items: PickerItems): InputIssue[] {
  const message = singleIssue(input.Info, form.value as FormCell, items);
  if (message !== null) return [{ message }];
  const broken = brokenSingle(input, form);
  return broken ? [broken] : [];
}

/**
 * Returns the violation of the rule of a single value. Values that cannot be parsed, blanks and calculated bounds are
 * not checked here.
 */
export function brokenSingle(input: Input, form: FormInput): InputIssue | null {
  const { Info } = input;
  const cell = form.value as FormCell;
  const isJudged = !isFileInput(Info) && valueShape(Info) === 'cell' && !isFixed(input) && !isEmpty(cell);
  if (!isJudged || (form.useDefault && mayUseDefault(Info)) || kindIssue(Info, 0, cell) !== null) return null;
  const broken = brokenRule(Info, { row: 0, col: 0, cell, column: null }, isStop);
  return broken && !holdsDefault(Info, form.value) ? broken : null;
}

/** Returns the messages of Warning and Information rules for an input. They do not prevent sending. */
export function alertsOf(input: Input, form: FormInput): InputIssue[] {
  const { Info } = input;
  if (!Info.Rules || isFixed(input) || isFileInput(Info) || (form.useDefault && mayUseDefault(Info))) return [];
  const isOpen = (rule: ValueRule): boolean => !isStop(rule);
  if (!Info.Rules.some(isOpen)) return [];
  const rows = valueShape(Info) === 'cell' ? [[form.value as FormCell]] : trimmedRows(Info, form.value as FormCell[]);
  const isSingle = valueShape(Info) === 'cell';
  const found = issueList();
  for (const [row, cells] of rows.entries()) {
    for (const [col, cell] of cells.entries()) {
      if (isEmpty(cell) || isClosedCell(Info, row, col)) continue;
      if (kindIssue(Info, ruleIndex(Info, row, col), cell) !== null) continue;
      const column = isSingle ? null : columnTitle(Info, row, col);
      const broken = brokenRule(Info, { row, col, cell, column }, isOpen);
      if (broken) found.add(isSingle ? broken : { ...broken, row, col });
    }
  }
  const issues = found.all();
  return issues.length > 0 && holdsDefault(Info, form.value) ? [] : issues;
}

const isStop = ({ Alert }: ValueRule): boolean => Alert === 'Stop';

interface RuledCell {
  row: number;
  col: number;
  cell: FormCell;
  column: string | null;
}

/** Returns the violation of a cell's rule; calculated rules are not checked here. */
function brokenRule(
  info: InputInfo,
  { row, col, cell, column }: RuledCell,
  counts: (rule: ValueRule) => boolean,
): InputIssue | null {
  const rule = ruleAt(info, row, col);
  if (!rule || rule.Calculated || !counts(rule) || !breaksBounds(rule, cell, rule.Bounds)) return null;
  const format = formatAt(info, ruleIndex(info, row, col));
  const message = ruleMessage(rule, cell, rule.Bounds, { format, column, region: info.Region });
  return rule.Title === '' ? { message } : { message, title: rule.Title };
}

/** Returns the error for a file larger than the input's limit (bytes); null if it fits. */
export function fileSizeIssue(info: Pick<InputInfo, 'MaxSize'>, bytes: number): string | null {
  const limit = info.MaxSize[0] ?? null;
  return limit !== null && bytes > limit
    ? `Size of the input file exceeds the limit of ${formatFileSize(limit)}`
    : null;
}

function checkFiles(info: InputInfo, form: FormInput): InputIssue[] {
  if (form.files.length > 0) {
    const maxFiles = maxFilesOf(info);
    if (form.files.length <= maxFiles) return [];
    return [{ message: maxFiles === 1 ? 'Please choose a file' : `Please choose at most ${maxFiles} files` }];
  }
  if (info.Blanks[0]) return [];
  return [{ message: valueShape(info) === 'cell' ? 'Please choose a file' : 'Please choose at least one file' }];
}

/** Each file needs a cell for its name; a file without one would be lost silently. */
function maxFilesOf(info: InputInfo): number {
  if (valueShape(info) === 'cell') return 1;
  return info.RowsVariable || info.ColsVariable ? (info.MaxRows ?? Infinity) : Math.max(info.Height, info.Width);
}

const isEmpty = (cell: FormCell): boolean => cell === null || (typeof cell === 'string' && cell.trim() === '');

function singleIssue(info: InputInfo, cell: FormCell, items: PickerItems): string | null {
  const usage = info.CellUsages[0];
  const blanks = info.Blanks[0] === true;
  if (isEmpty(cell) && usage !== 'Boolean') {
    if (blanks || info.AllowDefaultValue || usage === 'Condition') return null;
    if (info.Specifications[0] !== 'OldStyle') return 'Value must be provided';
    if (usage === 'Number') return 'Value must be a number';
    return usage === 'Date' ? 'Value must be specified' : null;
  }
  const wrong = kindIssue(info, 0, cell);
  if (wrong === 'number') return 'Value must be a number';
  if (wrong === 'date') return `Value must be ${wantedDate(formatAt(info, 0))}`;
  if (wrong === 'boolean') return listMessage(null);
  if (outsideList(info, 0, cell, items)) return listMessage(null);
  return tooLong(info, 0, cell) ?? wrongCondition(info, 0, cell);
}

const formatAt = ({ Formats }: InputInfo, index: number): string => Formats[index] ?? 'General';

function kindIssue(info: InputInfo, index: number, cell: FormCell): 'number' | 'date' | 'boolean' | null {
  const usage = info.CellUsages[index];
  if (usage === 'Number') return typeof cell === 'number' || numberCell(info, String(cell)) !== null ? null : 'number';
  if (usage === 'Date') return typeof cell === 'number' && isDateValue(cell, formatAt(info, index)) ? null : 'date';
  if (usage === 'Boolean') return typeof cell === 'boolean' || isEmpty(cell) ? null : 'boolean';
  return null;
}

function tooLong(info: InputInfo, index: number, cell: FormCell): string | null {
  const usage = info.CellUsages[index] ?? info.CellUsages[0];
  const limit = info.MaxSize[index] ?? null;
  if (limit === null || (usage !== 'Text' && usage !== 'Condition')) return null;
  return String(cell).length > limit ? `Input text must not exceed ${limit} characters` : null;
}

function wrongCondition(info: InputInfo, index: number, cell: FormCell): string | null {
  if ((info.CellUsages[index] ?? info.CellUsages[0]) !== 'Condition') return null;
  const picker = info.Pickers[index] ?? info.Pickers[0];
  if (picker?.Type !== 'Condition' || !picker.Columns) return 'The picker configured is not valid';
  return conditionIssue(String(cell), picker.Columns);
}

function checkCells(info: InputInfo, form: FormInput, items: PickerItems, chosen: ChosenCells | null): InputIssue[] {
  const rows = trimmedRows(info, form.value as FormCell[] | FormCell[][]);
  if (rows.length === 0 && !chosen && (info.RowsVariable || info.ColsVariable)) {
    const needed = wholeSpecification(info) === 'Required' && !info.Blanks.every(Boolean) && !info.AllowDefaultValue;
    return needed ? [{ message: 'Value must be provided' }] : [];
  }
  const maxRows = info.MaxRows ?? Infinity;
  if (rows.length > maxRows) return [{ message: tooManyRows(rows.length, maxRows, info.RowsEnd) }];
  const found = issueList();
  for (const [row, cells] of rows.entries()) {
    for (const [col, cell] of cells.entries()) {
      if (isClosedCell(info, row, col) || (chosen && (isEmpty(cell) || !chosen(row, col)))) continue;
      const column = columnTitle(info, row, col);
      const message = cellIssue(info, ruleIndex(info, row, col), cell, items, column);
      if (message !== null) found.add({ message, row, col });
      else if (info.Rules && !isEmpty(cell)) {
        const broken = brokenRule(info, { row, col, cell, column }, isStop);
        if (broken) found.add({ ...broken, row, col });
      }
    }
  }
  return found.all();
}

/** `end` describes what blocks further rows, if known. */
function tooManyRows(count: number, maxRows: number, end: string | undefined): string {
  if (end === undefined) return maxRows === 1 ? `Only 1 of ${count} rows fits` : `Only ${maxRows} of ${count} rows fit`;
  return maxRows === 1
    ? `Only 1 of ${count} rows fits above ${end}`
    : `Only ${maxRows} of ${count} rows fit above ${end}`;
}

/** Collects the first MAX_ISSUES issues and counts the rest. */
function issueList(): { add(issue: InputIssue): void; all(): InputIssue[] } {
  const issues: InputIssue[] = [];
  let more = 0;
  return {
    add(issue) {
      if (issues.length < MAX_ISSUES) issues.push(issue);
      else more += 1;
    },
    all() {
      if (more === 0) return issues;
      return [...issues, { message: more === 1 ? '1 more cell is invalid' : `${more} more cells are invalid`, more }];
    },
  };
}

/** Returns the relevant rows: texts as typed, without the trailing blank rows of a variable table. */
function trimmedRows(info: InputInfo, value: FormCell[] | FormCell[][]): FormCell[][] {
  const minRows = (cleanValue(info, value) as unknown[]).length;
  const rows = valueShape(info) === 'list' ? (value as FormCell[]).map((cell) => [cell]) : (value as FormCell[][]);
  let end = rows.length;
  while (end > minRows && isBlankRow(rows[end - 1]!.map((cell) => (cell === false ? null : cell)))) end -= 1;
  return rows.slice(0, end);
}

/** Returns the name for messages of a cell's column, or of its row if headers are on the left. */
export function columnTitle(info: InputInfo, row: number, col: number): string {
  const titles = info.RangeType === 'RangeWithRowHeaders' ? info.RowHeaderValues : info.ColumnHeaderValues;
  const index = info.RangeType === 'RangeWithRowHeaders' ? row : col;
  return titles[index] || String(index + 1);
}

function cellIssue(info: InputInfo, index: number, cell: FormCell, items: PickerItems, title: string): string | null {
  const usage = info.CellUsages[index];
  const oldStyle = (info.Specifications[index] ?? info.Specifications[0]) === 'OldStyle';
  if (isEmpty(cell)) {
    const marked = (info.Blanks[index] ?? info.Blanks[0]) === true && !oldStyle;
    const old = oldStyle && (usage === 'Text' || usage === 'Boolean');
    return marked || old || usage === 'Condition' || usage === 'Boolean'
      ? null
      : `Value in column ${title} must be specified`;
  }
  const wrong = kindIssue(info, index, cell);
  if (wrong === 'number') return `Value in column ${title} must be a number`;
  if (wrong === 'date') return `Value in column ${title} must be ${wantedDate(formatAt(info, index))}`;
  if (wrong === 'boolean' || outsideList(info, index, cell, items)) return listMessage(title);
  return tooLong(info, index, cell) ?? wrongCondition(info, index, cell);
}
