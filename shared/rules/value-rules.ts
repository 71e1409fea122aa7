/**
 * Evaluates a workbook's data validations as Excel does. Picker lists, text lengths limited by MaxSize, and blanks have
 * separate checks (input-rules.ts).
 */
import { dateFormatOf } from '../codecs/date-format.ts';
import { editDate } from '../codecs/date-text.ts';
import type { FormCell } from '../codecs/input-form.ts';
import { parseNumber } from '../codecs/number-text.ts';
import { formatSerialDate, fromSerial } from '../codecs/serial-date.ts';
import type { TextRegion } from '../codecs/text-region.ts';
import type { InputInfo, ValueRule } from '../contract/parameters.ts';

/** The parts of a rule that determine the result; its bounds may be results of formulas. */
export type RuleKind = Pick<ValueRule, 'Type' | 'Operator'>;

/**
 * Returns the rule for a cell of the value; null if there is none. row and col follow the nesting of the value: for a
 * list, row is the index. If several rules apply, the last one takes effect, as in Excel.
 */
export function ruleAt(
  { Rules, RangeType }: Pick<InputInfo, 'Rules' | 'RangeType'>,
  row: number,
  col: number,
): ValueRule | null {
  if (!Rules) return null;
  const [y, x] = RangeType === 'SingleRowOfSimilarValues' ? [0, row] : [row, col];
  return Rules.findLast((rule) => covers(rule, y, x)) ?? null;
}

const covers = ({ Top, Bottom, Left, Right }: ValueRule, row: number, col: number): boolean =>
  row >= Top && (Bottom === null || row <= Bottom) && col >= Left && col <= Right;

/**
 * Returns whether a non-blank value violates a rule with bounds. Formulas determine custom rules and lists, so these
 * are never violated here.
 */
export function breaksBounds({ Type, Operator }: RuleKind, value: FormCell, bounds: readonly number[]): boolean {
  if (Type === 'custom' || Type === 'list') return false;
  // A checkbox holds no number, even if the rule of its cell expects one: no answer could satisfy the rule.
  if (typeof value === 'boolean' && Type !== 'textLength') return false;
  const measured = Type === 'textLength' ? textOf(value).length : numberOf(value);
  if (measured === null) return true;
  return !isWithin(Operator, measured, bounds) || (Type === 'whole' && !Number.isInteger(inDigits(measured)));
}

function textOf(value: FormCell): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(typeof value === 'number' ? inDigits(value) : value);
}

function numberOf(value: FormCell): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseNumber(value) : null;
}

function isWithin(operator: ValueRule['Operator'], value: number, bounds: readonly number[]): boolean {
  const [first, second] = bounds.map((bound) => compare(value, bound));
  switch (operator) {
    case 'between':
      return first! >= 0 && second! <= 0;
    case 'notBetween':
      return first! < 0 || second! > 0;
    case 'equal':
      return first === 0;
    case 'notEqual':
      return first !== 0;
    case 'greaterThan':
      return first! > 0;
    case 'lessThan':
      return first! < 0;
    case 'greaterThanOrEqual':
      return first! >= 0;
    case 'lessThanOrEqual':
      return first! <= 0;
  }
}

/** Rounds a number to the 15 digits that Excel compares: a bound of 0.1+0.2 accepts 0.3. */
export const inDigits = (value: number): number => Number(value.toPrecision(15));

const compare = (a: number, b: number): number => inDigits(a) - inDigits(b);

/** Context of a message about a cell. */
export interface RuleContext {
  /** Excel's number format of the cell: bounds of percentages are shown as percentages. */
  format: string;
  /** Title of the table column; null for a single value. */
  column: string | null;
  /** Number notation of the workbook; that of the United States if absent. */
  region?: TextRegion | undefined;
}

/**
 * Returns the message for a value that violates a rule: the workbook's own text, otherwise a description of what is
 * allowed.
 */
export function ruleMessage(
  rule: RuleKind & Pick<ValueRule, 'Text' | 'Alert'>,
  value: FormCell,
  bounds: readonly number[],
  { format, column, region }: RuleContext,
): string {
  if (rule.Text !== '') return rule.Text;
  if (rule.Type === 'list' && rule.Alert !== 'Stop')
    return `${column === null ? 'Value' : `Value in column ${column}`} is not in the list`;
  if (rule.Type === 'list') return listMessage(column);
  const subject = column === null ? 'Value' : `Value in column ${column}`;
  if (rule.Type === 'custom') return `${subject} does not satisfy the rule of the workbook`;
  if (bounds.length === 0)
    return `${subject} cannot be checked, because the workbook's limits for it cannot be calculated`;
  const shown = bounds.map((bound) => boundText(rule.Type, bound, format, region));
  if (rule.Type === 'textLength')
    return `${subject} must have ${ofOne(phrase(LENGTHS, rule.Operator, shown), rule.Operator)}`;
  const isFraction = typeof value === 'number' && !Number.isInteger(inDigits(value));
  if (rule.Type === 'whole' && isFraction && !breaksBounds({ ...rule, Type: 'decimal' }, value, bounds)) {
    return `${subject} must be a whole number`;
  }
  return `${subject} ${phrase(isTime(rule.Type) ? TIMES : NUMBERS, rule.Operator, shown)}`;
}

/**
 * Describes what a rule with known bounds allows, to be shown below its field: '1 to 40'; '' if a formula determines
 * it.
 */
export function allowedText(
  { Type, Operator }: RuleKind,
  bounds: readonly number[],
  format: string,
  region?: TextRegion,
): string {
  if (Type === 'custom' || Type === 'list' || bounds.length === 0) return '';
  const shown = bounds.map((bound) => boundText(Type, bound, format, region));
  const text = phrase(isTime(Type) ? ALLOWED_TIMES : ALLOWED, Operator, shown);
  return Type === 'textLength' ? ofOne(`${text} characters`, Operator) : text;
}

const isTime = (type: ValueRule['Type']): boolean => type === 'date' || type === 'time';

/** Phrases by operator; # and ## are replaced by the bounds. */
type Phrases = Record<ValueRule['Operator'], string>;

const NUMBERS: Phrases = {
  between: 'must be between # and ##',
  notBetween: 'must not be between # and ##',
  equal: 'must be #',
  notEqual: 'must not be #',
  greaterThan: 'must be greater than #',
  lessThan: 'must be less than #',
  greaterThanOrEqual: 'must be at least #',
  lessThanOrEqual: 'must be at most #',
};

const TIMES: Phrases = {
  ...NUMBERS,
  greaterThan: 'must be after #',
  lessThan: 'must be before #',
  greaterThanOrEqual: 'must not be before #',
  lessThanOrEqual: 'must not be after #',
};

const LENGTHS: Phrases = {
  between: 'between # and ## characters',
  notBetween: 'fewer than # or more than ## characters',
  equal: 'exactly # characters',
  notEqual: 'a number of characters other than #',
  greaterThan: 'more than # characters',
  lessThan: 'fewer than # characters',
  greaterThanOrEqual: 'at least # characters',
  lessThanOrEqual: 'at most # characters',
};

const ALLOWED: Phrases = {
  between: '# to ##',
  notBetween: 'not # to ##',
  equal: '#',
  notEqual: 'not #',
  greaterThan: 'more than #',
  lessThan: 'less than #',
  greaterThanOrEqual: 'at least #',
  lessThanOrEqual: 'at most #',
};

const ALLOWED_TIMES: Phrases = {
  ...ALLOWED,
  greaterThan: 'after #',
  lessThan: 'before #',
  greaterThanOrEqual: 'from # on',
  lessThanOrEqual: 'up to #',
};

const phrase = (
  phrases: Phrases,
  operator: ValueRule['Operator'],
  [first = '', second = '']: readonly string[],
): string => phrases[operator].replace('##', () => second).replace('#', () => first);

/** Uses the singular for a single bound: 'at most 1 character'. */
function ofOne(text: string, operator: ValueRule['Operator']): string {
  return LENGTHS[operator].includes('##') ? text : text.replace(/(?<=^| )1 characters$/, '1 character');
}

function boundText(type: ValueRule['Type'], bound: number, format: string, region?: TextRegion): string {
  if (type === 'date') return formatSerialDate(bound) || String(bound);
  if (type === 'time') return timeText(bound);
  // The cell shows days or times, so numeric bounds are shown in the same way.
  if (type !== 'textLength' && dateFormatOf(format).kind !== 'any') return editDate(bound, format);
  const isPercent = type !== 'textLength' && /%/.test(format.replace(/"[^"]*"|\\./g, ''));
  return isPercent ? `${numberText(bound * 100, region)}%` : numberText(bound, region);
}

/**
 * Formats 0.07 × 100 as '7' instead of '7.000000000000001', with the separators that the field parses: '1.234,5' in
 * place of '1,234.5'.
 */
function numberText(value: number, region?: TextRegion): string {
  const isLong = Math.abs(value) >= 1e15;
  const text = isLong
    ? String(value)
    : Number(value.toPrecision(15)).toLocaleString('en', { maximumFractionDigits: 14 });
  return region ? text.replace(/[.,]/g, (mark) => (mark === '.' ? region.Decimal : region.Group)) : text;
}

/** Formats a time of day as '08:30'; hours continue beyond one day ('37:30'). */
function timeText(days: number): string {
  const parts = fromSerial(days);
  if (!parts) return String(days);
  const two = (value: number): string => String(value).padStart(2, '0');
  const second = parts.second > 0 ? `:${two(parts.second)}` : '';
  const whole = Math.floor(Math.round(days * 86_400_000) / 86_400_000);
  // Larger values are calendar days; small values are durations in hours.
  if (whole > 366) return formatSerialDate(days);
  return `${two(parts.hour + whole * 24)}:${two(parts.minute)}${second}`;
}

/** Returns the message for a value that is not in its list. `column` is its title, or null for a single cell. */
export const listMessage = (column: string | null): string =>
  column === null ? 'Please choose a valid value.' : `Please choose a valid value in column ${column}`;
