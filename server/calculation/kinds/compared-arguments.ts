/** Functions that compare some of their arguments with others: lookups, and sums and counts by criteria. */
import { readsOf } from '../graph/reads.ts';
import type { Read } from '../graph/reads.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { plain, Strength } from './wanted.ts';
import type { OpenPart, UseSite, Wanted } from './wanted.ts';
import { columnOfRead, rowOfRead } from './read-parts.ts';
import type { FormulaPosition, ValueKind } from './value-kind.ts';

/** Returns null if the function is not a lookup. */
export function lookupUses({ name, args }: CallNode, wanted: Wanted | null, site: UseSite): OpenPart[] | null {
  switch (name) {
    case 'VLOOKUP':
      return tableLookup(name, args, wanted, columnOfRead, site);
    case 'HLOOKUP':
      return tableLookup(name, args, wanted, rowOfRead, site);
    case 'MATCH':
    case 'XMATCH':
    case 'LOOKUP':
    case 'XLOOKUP': {
      const [value, range, ...results] = args;
      if (!value || !range) return [];
      const passed = name === 'LOOKUP' || name === 'XLOOKUP' ? results.slice(0, 2) : [];
      const searched = name === 'LOOKUP' && results.length === 0 ? firstLine(range) : range;
      return [...alike(value, searched, name, site), ...passed.map((node) => ({ node, wanted }))];
    }
    case 'SWITCH': {
      const [value, ...cases] = args;
      return value ? switchParts(value, cases, wanted, site) : [];
    }
    case 'IFS':
      return args.map((node, index) => ({ node, wanted: index % 2 === 1 ? wanted : plain('Boolean', name) }));
    case 'TEXT':
      return args.map((node, index) => ({ node, wanted: index === 0 ? formatted(args[1], site) : null }));
    default:
      return null;
  }
}

/**
 * Returns the part of an array constant that LOOKUP searches: the first column, or the first row if it is longer. Other
 * nodes are returned unchanged.
 */
const firstLine = (table: Node): Node =>
  table.type === 'array' ? lineOfArray(table, table.rows[0]!.length > table.rows.length) : table;

const lineOfArray = ({ rows }: Extract<Node, { type: 'array' }>, isRow: boolean): Node => ({
  type: 'array',
  rows: isRow ? rows.slice(0, 1) : rows.map((row) => row.slice(0, 1)),
});

/** A lookup value has the type of the range it is looked up in, and vice versa. */
function alike(value: Node, range: Node, by: string, { resultTypes }: UseSite): OpenPart[] {
  const like = (other: Node): Wanted => ({ kind: (at) => resultTypes.of(other, at), strength: Strength.plain, by });
  return [
    { node: value, wanted: like(range) },
    { node: range, wanted: like(value) },
  ];
}

function tableLookup(
  by: string,
  [value, table, index]: readonly Node[],
  wanted: Wanted | null,
  lineOf: (read: Read, offset: number) => Read,
  site: UseSite,
): OpenPart[] {
  if (!value || !table) return [];
  const { reads } = readsOf(table, site.sheet, site.scope);
  const keys = reads.map((read) => lineOf(read, 0));
  const like = (kind: (at: FormulaPosition) => ValueKind | null): Wanted => ({ kind, strength: Strength.plain, by });
  for (const read of keys)
    site.take(
      read,
      like((at) => site.resultTypes.of(value, at)),
    );
  if (wanted && index?.type === 'number')
    for (const read of reads) site.take(lineOf(read, Math.max(0, Math.trunc(index.value) - 1)), wanted);
  const key = keys[0];
  const written = table.type === 'array' ? lineOfArray(table, by === 'HLOOKUP') : null;
  const ofKeys = (at: FormulaPosition): ValueKind | null =>
    written ? site.resultTypes.of(written, at) : key ? site.resultTypes.ofRead(key, at) : null;
  return [{ node: value, wanted: like(ofKeys) }, ...(index ? [{ node: index, wanted: plain('Number', by) }] : [])];
}

function switchParts(value: Node, cases: readonly Node[], wanted: Wanted | null, site: UseSite): OpenPart[] {
  const isCase = (index: number): boolean => index % 2 === 0 && index + 1 < cases.length;
  const like = (other: Node | undefined): Wanted | null =>
    other ? { kind: (at) => site.resultTypes.of(other, at), strength: Strength.plain, by: 'SWITCH' } : null;
  return [
    { node: value, wanted: like(cases[0]) },
    ...cases.map((node, index) => ({ node, wanted: isCase(index) ? like(value) : wanted })),
  ];
}

/** Returns the expected type of a value shown with a number format. */
function formatted(code: Node | undefined, { resultTypes }: UseSite): Wanted | null {
  const kind = code?.type === 'text' ? resultTypes.shownBy(code.value) : null;
  return kind && kind !== 'Text' ? { kind, strength: Strength.weak, by: 'TEXT' } : null;
}

/** Index of the first pair of range and criterion; an argument before it contains the numbers to aggregate. */
const CRITERIA = new Map([
  ['SUMIFS', 1],
  ['AVERAGEIFS', 1],
  ['MAXIFS', 1],
  ['MINIFS', 1],
  ['COUNTIFS', 0],
  ['COUNTIF', 0],
]);

/** Returns null if the function has no criteria. */
export function criteriaUses({ name, args }: CallNode, _: Wanted | null, site: UseSite): OpenPart[] | null {
  if (name === 'SUMIF' || name === 'AVERAGEIF') {
    const [range, criterion, summed] = args;
    if (!range || !criterion) return [];
    const numbers = { node: summed && summed.type !== 'missing' ? summed : range, wanted: plain('Number', name) };
    return [...criterionParts(range, criterion, name, site), numbers];
  }
  const first = CRITERIA.get(name);
  if (first === undefined) return null;
  const parts: OpenPart[] = args.slice(0, first).map((node) => ({ node, wanted: plain('Number', name) }));
  for (let at = first; at + 1 < args.length; at += 2)
    parts.push(...criterionParts(args[at]!, args[at + 1]!, name, site));
  return parts;
}

const RELATION = /^\s*(?:<>|<=|>=|=|<|>)/;

function criterionParts(range: Node, criterion: Node, by: string, site: UseSite): OpenPart[] {
  const { value, isRelation } = comparedValue(criterion);
  const like = (other: Node, otherwise: ValueKind | null): Wanted => ({
    kind: (at) => site.resultTypes.of(other, at) ?? otherwise,
    strength: Strength.plain,
    by,
  });
  return [
    { node: range, wanted: value && like(value, null) },
    { node: value ?? criterion, wanted: value && like(range, isRelation ? 'Number' : null) },
  ];
}

/** Returns the value that a criterion compares with: 5 in ">5", A1 in ">="&A1. */
function comparedValue(criterion: Node): { value: Node | null; isRelation: boolean } {
  if (criterion.type === 'text') {
    const operator = RELATION.exec(criterion.value)?.[0] ?? '';
    const rest = criterion.value.slice(operator.length).trim();
    const isRelation = /[<>]/.test(operator) && operator.trim() !== '<>';
    if (rest === '') return { value: null, isRelation };
    const number = Number(rest);
    const value: Node = Number.isFinite(number) ? { type: 'number', value: number } : { type: 'text', value: rest };
    return { value: /[*?]/.test(rest) ? { type: 'text', value: rest } : value, isRelation };
  }
  if (criterion.type === 'binary' && criterion.operator === '&' && criterion.left.type === 'text') {
    const operator = RELATION.exec(criterion.left.value)?.[0];
    if (operator !== undefined && operator.length === criterion.left.value.length)
      return { value: criterion.right, isRelation: /[<>]/.test(operator) && operator.trim() !== '<>' };
  }
  return { value: criterion, isRelation: false };
}
