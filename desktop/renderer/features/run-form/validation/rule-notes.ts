/** Texts about the rules of an input: what they allow, and warnings of rules that do not reject a value. */
import { cellProblem, isAsked } from '#shared/codecs/cell-text.ts';
import { valueShape, type FormCell, type FormInput } from '#shared/codecs/input-form.ts';
import type { Input, InputInfo, ValueRule } from '#shared/contract/parameters.ts';
import { alertsOf, brokenSingle, type InputIssue } from '#shared/rules/input-rules.ts';
import { allowedText, ruleAt } from '#shared/rules/value-rules.ts';
import { said, t } from '#renderer/language/translate.ts';
import { cellKind } from '#renderer/features/run-form/form-inputs.ts';
import { allowedWords, spokenNumbers } from './allowed-words.ts';
import type { RunFormState } from '#renderer/features/run-form/run-form-store.ts';

/** Nobody reads more lines below a table. */
const MAX_LINES = 12;

/**
 * Returns what is allowed, for the text below the field. Tables have one line per column with its own rule. `live` is
 * what the server knows about it.
 */
export function allowedNotes(info: InputInfo, live: string): string[] {
  const { Rules = [] } = info;
  if (Rules.length === 0) return [];
  if (valueShape(info) === 'cell') {
    const text = live === '' ? ruleText(info, ruleAt(info, 0, 0), 0) : allowedWords(live, info.Region);
    return text === '' ? [] : [text];
  }
  const lines = fieldsOf(info).flatMap(({ title, index, row, col, rows, cols }) => {
    const rule = ruleAt(info, row, col);
    // If cells of a column have different rules, no single line applies to all.
    const appliesToAll = rule !== null && coversAll(info, rule, { row, col, rows, cols });
    const text = appliesToAll ? ruleText(info, rule, index) : '';
    return text === '' ? [] : [title === '' ? text : `${title}: ${text}`];
  });
  return lines.length > MAX_LINES
    ? [...lines.slice(0, MAX_LINES), t('and {linesCount} more', { linesCount: lines.length - MAX_LINES })]
    : lines;
}

function ruleText({ Formats, Region }: InputInfo, rule: ValueRule | null, index: number): string {
  return rule && !rule.Calculated
    ? allowedWords(allowedText(rule, rule.Bounds, Formats[index] ?? Formats[0] ?? 'General', Region), Region)
    : '';
}

interface Field {
  title: string;
  index: number;
  row: number;
  col: number;
  rows: number;
  cols: number;
}

function fieldsOf(info: InputInfo): Field[] {
  const { RangeType, Height, Width, ColumnHeaderValues, RowHeaderValues } = info;
  if (RangeType === 'RangeWithColumnHeaders') {
    return Array.from({ length: Width }, (_, col) => {
      return { title: ColumnHeaderValues[col] ?? '', index: col, row: 0, col, rows: Height, cols: 1 };
    });
  }
  if (RangeType === 'RangeWithRowHeaders') {
    return Array.from({ length: Height }, (_, row) => {
      return { title: RowHeaderValues[row] ?? '', index: row, row, col: 0, rows: 1, cols: Width };
    });
  }
  return [{ title: '', index: 0, row: 0, col: 0, rows: Height, cols: Width }];
}

function coversAll(
  info: InputInfo,
  rule: ValueRule,
  { row, col, rows, cols }: Omit<Field, 'title' | 'index'>,
): boolean {
  const isIn = rule.Top <= row && rule.Left <= col && rule.Right >= col + cols - 1;
  if (!isIn || (rule.Bottom !== null && rule.Bottom < row + rows - 1)) return false;
  return info.Rules!.every(
    (other) =>
      other === rule ||
      other.Left > col + cols - 1 ||
      other.Right < col ||
      other.Top > row + rows - 1 ||
      (other.Bottom ?? Infinity) < row,
  );
}

/**
 * Rewrites the numbers in a rule's message to the user's notation. Messages written by the workbook's author stay
 * unchanged.
 */
export function spokenIssue<Issue extends InputIssue>({ Rules = [], Region }: InputInfo, issue: Issue): Issue {
  const [, subject, rest] = /^(.*?) (must (?:not )?(?:be|have) .*)$/s.exec(issue.message) ?? [];
  if (subject === undefined || rest === undefined || Rules.some(({ Text }) => Text === issue.message)) return issue;
  return { ...issue, message: `${subject} ${spokenNumbers(rest, Region)}` };
}

/** Replaces the issue of a cell whose text is ambiguous by the message about the ambiguity. */
export function askedIssue(input: Input, form: FormInput, issue: InputIssue): InputIssue {
  const { row = 0, col = 0 } = issue;
  const value = form.value as FormCell | FormCell[] | FormCell[][];
  const line = Array.isArray(value) ? value[row] : value;
  const cell = Array.isArray(line) ? line[col] : line;
  if (!isAsked(cell ?? null)) return issue;
  const message = cellProblem(cell!, cellKind(input.Info, row, col));
  return message === null ? issue : { ...issue, message };
}

/** Returns why a readable single value is not allowed, as far as the page knows. It is shown before the start. */
export function brokenText(input: Input, form: FormInput): string | null {
  const broken = brokenSingle(input, form);
  if (broken === null) return null;
  const text = said(spokenIssue(input.Info, broken).message);
  return broken.title === undefined ? text : `${broken.title}: ${text}`;
}

/** Returns the current messages of rules that do not reject the value. */
export function alertsNow(state: RunFormState, input: Input): InputIssue[] {
  const form = state.forms[input.Id];
  if (!form) return [];
  const own = alertsOf(input, form).map((issue) => spokenIssue(input.Info, issue));
  const calculated = liveIssues(state, input, (alert) => alert !== 'Stop');
  return [...own, ...calculated];
}

/** Returns the issues that the server found; empty if the form has changed since. */
export function liveIssues(
  { live, forms }: RunFormState,
  { Id, Info }: Input,
  counts: (alert: ValueRule['Alert']) => boolean,
): InputIssue[] {
  if (live.checked !== forms) return [];
  const issues = live.rules[Id]?.issues ?? [];
  const isSingle = valueShape(Info) === 'cell';
  return issues
    .filter(({ Alert }) => counts(Alert))
    .map(({ Row, Col, Title, Message }) => ({
      message: Message,
      ...(Title === '' ? {} : { title: Title }),
      ...(isSingle ? {} : { row: Row, col: Col }),
    }))
    .map((issue) => spokenIssue(Info, issue));
}
