/** What an input grid says of what was done. */
import { t } from '#renderer/language/translate.ts';

/** '1 row', '3 rows'. */
export const rowsText = (count: number): string => t('{count, plural, one {# row} other {# rows}}', { count });

/** '' where all could be written. */
export const refusedText = (refused: number): string =>
  refused === 0
    ? ''
    : t(
        '{count, plural, one {# value was left out: its cell} other {# values were left out: their cells}} cannot be changed.',
        { count: refused },
      );
