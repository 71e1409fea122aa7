/**
 * The regional settings a workbook is calculated with. The file alone decides: its traces of Excel's language and currency say
 * what is likely, and its formulas, by the values saved for them, whether that is so. See docs/decisions/0043.
 */
import type { Book } from '../graph/book.ts';
import type { Store } from '../kernels/store.ts';
import type { RegionTraces } from '../reader/workbook-model.ts';
import type { Region } from '../values/region/region.ts';
import { rankRegions } from './traces.ts';
import { findWitnesses, Hearing } from './witnesses.ts';
import type { Witness } from './witnesses.ts';

/** `store` holds the saved values of all cells; it is not changed. */
export function findRegion(book: Book, store: Store, traces: RegionTraces | undefined): Region {
  const { likely, all } = rankRegions(traces);
  const witnesses = findWitnesses(book, store);
  if (witnesses.length === 0) return likely;
  const hearing = new Hearing(book, store, witnesses);
  const explained = new Set(hearing.explained(witnesses, likely));
  const contradicted = witnesses.filter((witness) => !explained.has(witness));
  return contradicted.length === 0 ? likely : heard(hearing, witnesses, contradicted, likely, all);
}

/** The region that explains most; of those that explain as much, the likeliest. */
function heard(
  hearing: Hearing,
  witnesses: readonly Witness[],
  contradicted: readonly Witness[],
  likely: Region,
  all: readonly Region[],
): Region {
  let best = likely;
  let most = witnesses.length - contradicted.length;
  for (const region of all) {
    if (region === likely || hearing.explained(contradicted, region).length === 0) continue;
    const count = hearing.explained(witnesses, region).length;
    if (count > most) [best, most] = [region, count];
  }
  if (most === witnesses.length) return best;
  const inBytes = { ...best, countsBytes: !best.countsBytes };
  return hearing.explained(witnesses, inBytes).length > most ? inBytes : best;
}
