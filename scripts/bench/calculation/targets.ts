/** The targets of the engine compared with its peers, and whether it reaches them. */
import type { Measured } from './contestant.ts';
import type { Loading } from './loading.ts';

/** Measurements by size and engine. A text is the reason why there is no measurement. */
export type Results = Map<number, Map<string, Measured | string>>;

export interface Verdict {
  what: string;
  /** Null if it could not be measured. */
  holds: boolean | null;
  found: string;
}

const OURS = 'runsheet';
const IN_PROCESS = ['hyperformula', 'ironcalc', 'univer'];
const OFFICE = 'libreoffice';
const LARGE = 20_000;
const LARGEST = 100_000;

export function verdicts(results: Results, loading: Loading | null): Verdict[] {
  const at = (rows: number, engine: string): Measured | null => {
    const found = results.get(rows)?.get(engine);
    return found === undefined || typeof found === 'string' ? null : found;
  };
  const faster = (part: 'full' | 'inputs', rows: number, peer: string, times: number): Verdict => {
    const [ours, other] = [at(rows, OURS), at(rows, peer)];
    const what = `${part} of ${rows} rows at least ${times} × as fast as ${peer}`;
    if (!ours || !other) return { what, holds: null, found: 'not measured' };
    const ratio = other[part] / ours[part];
    return { what, holds: ratio >= times, found: `${ratio.toFixed(1)} ×` };
  };
  const bound = (what: string, value: number | null | undefined, max: number, unit: string): Verdict =>
    value == null
      ? { what, holds: null, found: 'not measured' }
      : { what, holds: value <= max, found: `${value.toFixed(2)} ${unit}` };
  const [large, largest] = [at(LARGE, OURS), at(LARGEST, OURS)];
  const sizes = [...results.keys()].filter((rows) => rows >= 4000);
  return [
    faster('full', LARGE, 'hyperformula', 20),
    faster('full', LARGE, OFFICE, 2),
    ...sizes.flatMap((rows) =>
      IN_PROCESS.filter((peer) => at(rows, peer)).map((peer) => faster('inputs', rows, peer, 10)),
    ),
    ...sizes.filter((rows) => at(rows, OFFICE)).map((rows) => faster('inputs', rows, OFFICE, 3)),
    bound(`${LARGEST} rows at most 6 × the time of ${LARGE}`, large && largest && largest.full / large.full, 6, '×'),
    bound('at most 300 bytes a cell', largest?.bytes ?? large?.bytes, 300, 'bytes'),
    bound(`a copy of ${LARGEST} rows under 2 ms`, largest?.copy, 2, 'ms'),
    loading
      ? {
          what: `loading ${LARGEST} rows at least 5 × as fast as exceljs reads them`,
          holds: loading.exceljs / loading.ours >= 5,
          found: `${(loading.exceljs / loading.ours).toFixed(1)} × (${loading.ours.toFixed(0)} ms)`,
        }
      : { what: `loading ${LARGEST} rows`, holds: null, found: 'not measured' },
    agreement(results),
  ];
}

export const isSameSum = (one: Measured, other: Measured, tolerance = 1e-9): boolean =>
  Math.abs(one.check - other.check) <= tolerance * Math.abs(other.check) ||
  (one.check !== one.check && other.check !== other.check);

/**
 * Maximum relative difference of the sums, by engine. IronCalc rounds 81.225, which is slightly less in binary, down to
 * 81.22. HyperFormula does the same with products such as 1334.085. Excel and all other engines here round up according
 * to the 15 significant digits. A few of thousands of amounts are therefore one cent lower.
 */
const CENTS_APART = { ironcalc: 1e-6, hyperformula: 1e-6 } as Record<string, number | undefined>;

function agreement(results: Results): Verdict {
  const apart: string[] = [];
  const nearly: string[] = [];
  for (const [rows, engines] of results) {
    const ours = engines.get(OURS);
    if (!ours || typeof ours === 'string') continue;
    for (const [name, other] of engines) {
      if (typeof other === 'string') continue;
      if (isSameSum(other, ours)) continue;
      (isSameSum(other, ours, CENTS_APART[name]) ? nearly : apart).push(`${name} at ${rows} rows`);
    }
  }
  return {
    what: 'all engines come to the same results',
    holds: apart.length === 0,
    found: [
      apart.join(', ') || 'they do',
      nearly.length === 0 ? '' : `; ROUND of halves goes down, unlike in Excel, in ${nearly.join(', ')}`,
    ].join(''),
  };
}
