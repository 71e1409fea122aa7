/**
 * REGEXTEST, REGEXEXTRACT, REGEXREPLACE. A pattern that backtracks excessively returns #VALUE! after a million steps.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix } from '#server/calculation/values/matrix.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { compileRegex, RegexLimitError, type Regex, type RegexMatch } from '#server/calculation/values/regex/regex.ts';
import type { CallContext, FunctionDefinition } from '../function.ts';
import { typed } from '../typed.ts';
import { MAX_TEXT } from './limits.ts';

/** `sensitivity` is 0 for case-sensitive, 1 for case-insensitive. */
function withRegex(
  pattern: string,
  sensitivity: number,
  context: CallContext,
  use: (regex: Regex) => FormulaValue,
): FormulaValue {
  const kind = Math.trunc(sensitivity);
  if (kind !== 0 && kind !== 1) return VALUE_ERROR;
  const regex = compileRegex(pattern, kind === 1);
  if (!regex) return VALUE_ERROR;
  try {
    return use(regex);
  } catch (error) {
    if (error instanceof RegexLimitError) return VALUE_ERROR;
    throw error;
  } finally {
    context.spend(regex.spent);
  }
}

/** Return modes: 0 the first match, 1 all matches, 2 the groups of the first match. */
function extract(regex: Regex, text: string, mode: number): FormulaValue {
  if (mode === 1) {
    const found = regex.all(text).map(({ start, end }) => text.slice(start, end));
    return found.length === 0 ? NA_ERROR : new ArrayMatrix(1, found.length, found);
  }
  const match = regex.first(text);
  if (!match) return NA_ERROR;
  if (mode === 0) return text.slice(match.start, match.end);
  if (mode !== 2 || match.groups.length === 0) return VALUE_ERROR;
  return new ArrayMatrix(
    1,
    match.groups.length,
    match.groups.map((group) => group ?? ''),
  );
}

/**
 * Returns the replacement with '$1', '${1}', '${name}' and '$0' filled in; '$$' is '$'. Returns null if a group does
 * not exist.
 */
function fillIn(replacement: string, text: string, match: RegexMatch, { names }: Regex): string | null {
  let failed = false;
  const filled = replacement.replace(/\$(?:(\$)|(\d{1,2})|\{(\w+)\})?/g, (_, dollar, number, name) => {
    if (dollar !== undefined) return '$';
    const key = (number ?? name) as string | undefined;
    const group = key === undefined ? -1 : /^\d+$/.test(key) ? Number(key) : (names.get(key) ?? -1);
    if (group === 0) return text.slice(match.start, match.end);
    failed ||= group < 0 || group > match.groups.length;
    return match.groups[group - 1] ?? '';
  });
  return failed ? null : filled;
}

/** Occurrence 0 replaces all matches; a negative one counts from the end. */
function replace(regex: Regex, text: string, replacement: string, occurrence: number): string | CellError {
  const found = regex.all(text);
  const index = Math.trunc(occurrence);
  const chosen = index === 0 ? found : found.slice(index > 0 ? index - 1 : index).slice(0, 1);
  if (index < 0 && -index > found.length) return text;
  let result = '';
  let from = 0;
  for (const match of chosen) {
    const filled = fillIn(replacement, text, match, regex);
    if (filled === null) return VALUE_ERROR;
    result += text.slice(from, match.start) + filled;
    from = match.end;
    if (result.length > MAX_TEXT) return VALUE_ERROR;
  }
  result += text.slice(from);
  return result.length > MAX_TEXT ? VALUE_ERROR : result;
}

export const regexFunctions: FunctionDefinition[] = [
  typed(
    'REGEXTEST',
    'ttn',
    ([text, pattern, sensitivity], context) =>
      withRegex(pattern, sensitivity, context, (regex) => regex.first(text) !== null),
    { required: 2 },
  ),
  typed(
    'REGEXEXTRACT',
    'ttnn',
    ([text, pattern, mode, sensitivity], context) =>
      withRegex(pattern, sensitivity, context, (regex) => extract(regex, text, Math.trunc(mode))),
    { required: 2 },
  ),
  typed(
    'REGEXREPLACE',
    'tttnn',
    ([text, pattern, replacement, occurrence, sensitivity], context) =>
      withRegex(pattern, sensitivity, context, (regex) => replace(regex, text, replacement, occurrence)),
    { required: 3 },
  ),
];
