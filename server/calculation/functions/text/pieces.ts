/** Pieces of texts: cut out, found, replaced, compared. The byte variants count characters, as Excel in English does. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { hasWildcards, wildcardSearch } from '#server/calculation/values/wildcard.ts';
import type { FunctionDefinition } from '../function.ts';
import { typed } from '../typed.ts';
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

function find(piece: string, text: string, start: number): number | CellError {
  const from = Math.trunc(start) - 1;
  if (from < 0 || from > text.length) return VALUE_ERROR;
  const at = text.indexOf(piece, from);
  return at < 0 ? VALUE_ERROR : at + 1;
}

function search(piece: string, text: string, start: number): number | CellError {
  const from = Math.trunc(start) - 1;
  if (from < 0 || from > text.length) return VALUE_ERROR;
  const at = hasWildcards(piece)
    ? wildcardSearch(piece, text, from)
    : text.toLowerCase().indexOf(piece.toLowerCase(), from);
  return at < 0 ? VALUE_ERROR : at + 1;
}

function substitute(text: string, piece: string, by: string, occurrence: number): string | CellError {
  if (occurrence < 1) return VALUE_ERROR;
  if (piece === '') return text;
  if (occurrence === Infinity) return bounded(text.replaceAll(piece, () => by));
  let at = text.indexOf(piece);
  for (let count = Math.trunc(occurrence); count > 1 && at >= 0; count -= 1)
    at = text.indexOf(piece, at + piece.length);
  return at < 0 ? text : bounded(text.slice(0, at) + by + text.slice(at + piece.length));
}

function repeat(text: string, count: number): string | CellError {
  const times = Math.trunc(count);
  return times < 0 || text.length * times > MAX_TEXT ? VALUE_ERROR : text.repeat(times);
}

/** Spaces at both ends go, of several between words one stays. Other white space does not count. */
const trim = (text: string): string => text.replace(/ {2,}/g, ' ').replace(/^ | $/g, '');

const withBytes = (name: string, define: (name: string) => FunctionDefinition): FunctionDefinition[] => [
  define(name),
  define(`${name}B`),
];

export const pieceFunctions: FunctionDefinition[] = [
  ...withBytes('LEN', (name) => typed(name, 't', ([text]) => text.length)),
  ...withBytes('LEFT', (name) =>
    typed(name, 'tn', ([text, count]) => left(text, count), { required: 1, defaults: [undefined, 1] }),
  ),
  ...withBytes('RIGHT', (name) =>
    typed(name, 'tn', ([text, count]) => right(text, count), { required: 1, defaults: [undefined, 1] }),
  ),
  ...withBytes('MID', (name) => typed(name, 'tnn', ([text, start, count]) => mid(text, start, count))),
  ...withBytes('REPLACE', (name) => typed(name, 'tnnt', ([text, start, count, by]) => replace(text, start, count, by))),
  ...withBytes('FIND', (name) =>
    typed(name, 'ttn', ([piece, text, start]) => find(piece, text, start), {
      required: 2,
      defaults: [undefined, undefined, 1],
    }),
  ),
  ...withBytes('SEARCH', (name) =>
    typed(name, 'ttn', ([piece, text, start]) => search(piece, text, start), {
      required: 2,
      defaults: [undefined, undefined, 1],
    }),
  ),
  typed('SUBSTITUTE', 'tttn', ([text, piece, by, occurrence]) => substitute(text, piece, by, occurrence), {
    required: 3,
    defaults: [undefined, undefined, undefined, Infinity],
  }),
  typed('REPT', 'tn', ([text, count]) => repeat(text, count)),
  typed('TRIM', 't', ([text]) => trim(text)),
  typed('EXACT', 'tt', ([first, second]) => first === second),
];
