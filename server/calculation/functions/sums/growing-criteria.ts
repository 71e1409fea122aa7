/** Which cells of growing columns meet criteria that ask for one value. */
import { criterionKey } from '#server/calculation/values/criteria.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { eachValue } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { keysOfValue } from './criteria-index.ts';
import { GrowingInts, grownThing, type Growth } from './growing.ts';
import type { Condition, Matches } from './matching-cells.ts';
import type { Extent } from './criteria-index.ts';

interface GrowingIndex {
  /** By row: the code of its value; 0 is blank. */
  codes: GrowingInts;
  /** By code: the rows it stands in. */
  rows: GrowingInts[];
  byValue: Map<string | number | null, number>;
  byKey: Map<string | number, number[]>;
}

function codeOf(index: GrowingIndex, value: CellValue): number {
  if (value === null) return 0;
  const key = criterionKey(value);
  const known = index.byValue.get(key);
  if (known !== undefined) return known;
  const code = index.rows.push(new GrowingInts()) - 1;
  index.byValue.set(key, code);
  for (const found of keysOfValue(value)) {
    const codes = index.byKey.get(found);
    if (codes) codes.push(code);
    else index.byKey.set(found, [code]);
  }
  return code;
}

const GROWTH: Growth<GrowingIndex> = {
  key: 'growing criteria',
  create: () => ({ codes: new GrowingInts(), rows: [new GrowingInts()], byValue: new Map(), byKey: new Map() }),
  extend(index, added, from, to) {
    const add = (value: CellValue): void => {
      const code = codeOf(index, value);
      index.rows[code]!.push(index.codes.length);
      index.codes.push(code);
    };
    eachValue(added, (value, row) => {
      // blank cells are not visited
      while (index.codes.length < from + row) add(null);
      add(value);
    });
    while (index.codes.length < to) add(null);
  },
};

/** Null where the columns do not grow, or a criterion asks for more than one value. */
export function growingMatches(conditions: readonly Condition[], extent: Extent, context: CallContext): Matches | null {
  if (conditions.some(({ criterion }) => criterion.key === null || criterion.matchesBlank)) return null;
  const found: { codes: GrowingInts; code: number; positions: Int32Array }[] = [];
  for (const { range, criterion } of conditions) {
    const index = grownThing(range, GROWTH, context);
    if (!index) return null;
    const codes = index.byKey.get(criterion.key!) ?? [];
    if (codes.length > 1) return null;
    if (codes.length === 0) return { kind: 'none' };
    const code = codes[0]!;
    found.push({ codes: index.codes, code, positions: index.rows[code]!.below(extent.rows) });
  }
  found.sort((a, b) => a.positions.length - b.positions.length);
  const [first, ...others] = found;
  const { positions } = first!;
  if (others.length === 0) return { kind: 'positions', positions, extent, beyond: 0 };
  context.spend(positions.length * others.length);
  const both = positions.filter((at) => others.every(({ codes, code }) => at < codes.length && codes.at(at) === code));
  return { kind: 'positions', positions: both, extent, beyond: 0 };
}
