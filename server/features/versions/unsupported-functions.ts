import type { FidelityReport } from '#shared/contract/fidelity.ts';

/**
 * Returns the names of functions that the engine lacks, that affect an output, and that were not accepted, without
 * duplicates.
 */
export function unsupportedOf(fidelity: FidelityReport | null, accepted: readonly string[]): string[] {
  const named = new Set(accepted.map((name) => name.toUpperCase()));
  const lacking = (fidelity?.Unsupported ?? [])
    .filter(({ FeedsOutput, Name }) => FeedsOutput && !named.has(Name.toUpperCase()))
    .map(({ Name }) => Name);
  return [...new Set(lacking)];
}
