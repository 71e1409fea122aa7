import type { PurgeScope } from '#shared/contract/purge.ts';

/** Source: specification of activities, section 8. */
export const affectedText = (scope: PurgeScope, count: number): string =>
  `${count} ${scope === 'All' ? 'run' : 'file'}(s) affected`;
