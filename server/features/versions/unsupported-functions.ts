import type { FidelityReport } from '#shared/contract/fidelity.ts';

/** Functions that the engine lacks, on the way to an output, and that were not accepted; each name once. */
export function unsupportedOf(fidelity: FidelityReport | null, accepted: readonly string[]): string[] {
  const named = new Set(accepted.map((name) => name.toUpperCase()));
  const lacking = (fidelity?.Unsupported ?? [])
    .filter(({ FeedsOutput, Name }) => FeedsOutput && !named.has(Name.toUpperCase()))
    .map(({ Name }) => Name);
  return [...new Set(lacking)];
}
