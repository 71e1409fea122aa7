import type { PurgeScope } from '#shared/contract/purge.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

/** Source: specification of activities, section 8. */
export const affectedText = (scope: PurgeScope, count: number): string =>
  scope === 'All'
    ? t('{count} run(s) affected', { count: numberText(count) })
    : t('{count} file(s) affected', { count: numberText(count) });
