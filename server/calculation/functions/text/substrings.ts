/**
 * Functions that cut, find, replace and compare parts of texts. The byte variants count characters, except in regions
 * where wide characters are two bytes.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { hasWildcards, wildcardSearch } from '#server/calculation/values/wildcard.ts';
import type { FunctionDefinition } from '../function.ts';
import { typed } from '../typed.ts';
import { byteLength, byteRest, byteSlice, characterAt, countsBytes } from './bytes.ts';
import { MAX_TEXT } from './limits.ts';

const bounded = (text: string): string | CellError => (text.length > MAX_TEXT ? VALUE_ERROR : text);

function left(text: string, count: number): string | CellError {
  return count < 0 ? VALUE_ERROR : text.slice(0, Math.trunc(count));
}

function right(text: string, count: number): string | CellError {
  if (count < 0) return VALUE_ERROR;
  return text.slice(Math.max(0, text.length - Math.trunc(count)));
}

function mid(text: string, start: number, count: number): string | CellError {
  if (start < 1 || count < 0) return VALUE_ERROR;
  const from = Math.trunc(start) - 1;
  return text.slice(from, from + Math.trunc(count));
}

function replace(text: string, start: number, count: number, by: string): string | CellError {
  if (start < 1 || count < 0) return VALUE_ERROR;
  const from = Math.trunc(start) - 1;
  return bounded(text.slice(0, from) + by + text.slice(from + Math.trunc(count)));
}

function find(sought: string, text: string, start: number): number | CellError {
  const from = Math.trunc(start) - 1;
  if (from < 0 || from > text.length) return VALUE_ERROR;
  const at = text.indexOf(sought, from);
  return at < 0 ? VALUE_ERROR : at + 1;
}

function search(sought: string, text: string, start: number): number | CellError {
  const from = Math.trunc(start) - 1;
  if (from < 0 || from > text.length) return VALUE_ERROR;
  const at = hasWildcards(sought)
    ? wildcardSearch(sought, text, from)
    : text.toLowerCase().indexOf(sought.toLowerCase(), from);
  return at < 0 ? VALUE_ERROR : at + 1;
}

function substitute(text: string, sought: string, by: string, occurrence: number): string | CellError {
  if (occurrence < 1) return VALUE_ERROR;
  if (sought === '') return text;
  if (occurrence === Infinity) return bounded(text.replaceAll(sought, () => by));
  let at = text.indexOf(sought);
  for (let count = Math.trunc(occurrence); count > 1 && at >= 0; count -= 1)
    at = text.indexOf(sought, at + sought.length);
  return at < 0 ? text : bounded(text.slice(0, at) + by + text.slice(at + sought.length));
}

function repeat(text: string, count: number): string | CellError {
  const times = Math.trunc(count);
  return times < 0 || text.length * times > MAX_TEXT ? VALUE_ERROR : text.repeat(times);
}

/** Removes spaces at both ends and reduces several spaces between words to one. Other white space is unchanged. */
const trim = (text: string): string => text.replace(/ {2,}/g, ' ').replace(/^ | $/g, '');

function leftBytes(text: string, count: number): string | CellError {
  return count < 0 ? VALUE_ERROR : byteSlice(text, 0, Math.trunc(count));
}

function rightBytes(text: string, count: number): string | CellError {
  return count < 0 ? VALUE_ERROR : byteSlice(text, Math.max(0, byteLength(text) - Math.trunc(count)));
}

function midBytes(text: string, start: number, count: number): string | CellError {
  if (start < 1 || count < 0) return VALUE_ERROR;
  const from = Math.trunc(start) - 1;
  return byteSlice(text, from, from + Math.trunc(count));
}

function replaceBytes(text: string, start: number, count: number, by: string): string | CellError {
  if (start < 1 || count < 0) return VALUE_ERROR;
  const from = Math.trunc(start) - 1;
  return bounded(byteSlice(text, 0, from) + by + byteRest(text, from, Math.trunc(count)));
}

/** Wraps `find` or `search` to use byte positions. */
const inBytes =
  (seek: typeof find) =>
  (sought: string, text: string, start: number): number | CellError => {
    if (start < 1) return VALUE_ERROR;
    const found = seek(sought, text, characterAt(text, Math.trunc(start) - 1) + 1);
    return typeof found === 'number' ? byteLength(text.slice(0, found - 1)) + 1 : found;
  };

/** Defines a function and its variant for bytes. */
const withBytes = <Calculate>(
  name: string,
  [characters, bytes]: [Calculate, Calculate],
  define: (name: string, calculation: () => Calculate) => FunctionDefinition,
): FunctionDefinition[] => [
  define(name, () => characters),
  define(`${name}B`, () => (countsBytes() ? bytes : characters)),
];

const length = (text: string): number => text.length;

export const substringFunctions: FunctionDefinition[] = [
  ...withBytes('LEN', [length, byteLength], (name, by) => typed(name, 't', ([text]) => by()(text))),
  ...withBytes('LEFT', [left, leftBytes], (name, by) =>
    typed(name, 'tn', ([text, count]) => by()(text, count), { required: 1, defaults: [undefined, 1] }),
  ),
  ...withBytes('RIGHT', [right, rightBytes], (name, by) =>
    typed(name, 'tn', ([text, count]) => by()(text, count), { required: 1, defaults: [undefined, 1] }),
  ),
  ...withBytes('MID', [mid, midBytes], (name, by) =>
    typed(name, 'tnn', ([text, start, count]) => by()(text, start, count)),
  ),
  ...withBytes('REPLACE', [replace, replaceBytes], (name, by) =>
    typed(name, 'tnnt', ([text, start, count, other]) => by()(text, start, count, other)),
  ),
  ...withBytes('FIND', [find, inBytes(find)], (name, by) =>
    typed(name, 'ttn', ([sought, text, start]) => by()(sought, text, start), {
      required: 2,
      defaults: [undefined, undefined, 1],
    }),
  ),
  ...withBytes('SEARCH', [search, inBytes(search)], (name, by) =>
    typed(name, 'ttn', ([sought, text, start]) => by()(sought, text, start), {
      required: 2,
      defaults: [undefined, undefined, 1],
    }),
  ),
  typed('SUBSTITUTE', 'tttn', ([text, sought, by, occurrence]) => substitute(text, sought, by, occurrence), {
    required: 3,
    defaults: [undefined, undefined, undefined, Infinity],
  }),
  typed('REPT', 'tn', ([text, count]) => repeat(text, count)),
  typed('TRIM', 't', ([text]) => trim(text)),
  typed('EXACT', 'tt', ([first, second]) => first === second),
];
