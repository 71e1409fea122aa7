/**
 * The regional settings a workbook is calculated with. The file alone decides: its traces of Excel's language and currency say
 * what is likely, and its formulas, by the values saved for them, whether that is so. See docs/decisions/0043.
 */
import type { Book } from '../graph/book.ts';
import type { Store } from '../kernels/store.ts';
import type { RegionTraces } from '../reader/workbook-model.ts';
import type { RegionalSettings } from '../values/region/region.ts';
import { rankRegions } from './traces.ts';
import { findSavedValueChecks, LocaleCheck } from './saved-value-checks.ts';
import type { SavedValueCheck } from './saved-value-checks.ts';

/** `store` holds the saved values of all cells; it is not changed. */
export function detectLocale(book: Book, store: Store, traces: RegionTraces | undefined): RegionalSettings {
  const { likely, all } = rankRegions(traces);
  const checks = findSavedValueChecks(book, store);
  if (checks.length === 0) return likely;
  const localeCheck = new LocaleCheck(book, store, checks);
  const explained = new Set(localeCheck.explained(checks, likely));
  const contradicted = checks.filter((check) => !explained.has(check));
  return contradicted.length === 0 ? likely : bestSupported(localeCheck, checks, contradicted, likely, all);
}

/** The region that explains most; of those that explain as much, the likeliest. */
function bestSupported(
  localeCheck: LocaleCheck,
  checks: readonly SavedValueCheck[],
  contradicted: readonly SavedValueCheck[],
  likely: RegionalSettings,
  all: readonly RegionalSettings[],
): RegionalSettings {
  let best = likely;
  let most = checks.length - contradicted.length;
  for (const region of all) {
    if (region === likely || localeCheck.explained(contradicted, region).length === 0) continue;
    const count = localeCheck.explained(checks, region).length;
    if (count > most) [best, most] = [region, count];
  }
  if (most === checks.length) return best;
  const inBytes = { ...best, countsBytes: !best.countsBytes };
  return localeCheck.explained(checks, inBytes).length > most ? inBytes : best;
}
