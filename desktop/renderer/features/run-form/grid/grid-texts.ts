/** Messages of an input grid about what was done. */
import { t } from '#renderer/language/translate.ts';

/** Returns '1 row' or '3 rows'. */
export const rowsText = (count: number): string => t('{count, plural, one {# row} other {# rows}}', { count });

/** Returns '' if all values could be written. */
export const refusedText = (refused: number): string =>
  refused === 0
    ? ''
    : t(
        '{count, plural, one {# value was skipped: its cell} other {# values were skipped: their cells}} cannot be changed.',
        { count: refused },
      );
