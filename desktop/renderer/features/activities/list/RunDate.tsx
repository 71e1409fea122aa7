import { SymbolCircle, SymbolDiamond, SymbolSquare, SymbolTriangleUp } from '@blueprintjs/icons';
import { rich, t } from '#renderer/language/translate.ts';
import { formatDay, relativeDay } from '#renderer/ui/format-date.ts';

/**
 * Marks of the run dates, newest first: green, orange, blue, and gray for older dates. Each has its own shape for
 * people who cannot distinguish the colors.
 */
const MARKS = [SymbolCircle, SymbolDiamond, SymbolTriangleUp, SymbolSquare] as const;
const NAMES = ['1', '2', '3', 'older'] as const;

export const OLDER = 3;

/** The mark of a legend position: 0 to 2, or OLDER. */
export function DateMark({ position }: { position: number }) {
  const Mark = MARKS[position] ?? SymbolSquare;
  return (
    <span className={`rs-date-mark rs-date-${NAMES[position] ?? 'older'}`}>
      <Mark size={12} title={false} />
    </span>
  );
}

/** Legend that explains which mark stands for which day. */
export function DateLegend({ days }: { days: readonly number[] }) {
  if (days.length === 0) return null;
  return (
    <ul className="rs-legend" aria-label={t('Dates of last runs')}>
      {days.map((day, position) => (
        <li key={day} title={formatDay(day)}>
          <DateMark position={position} />
          {relativeDay(day)}
        </li>
      ))}
      <li>{rich('{dateMark}Older', { dateMark: <DateMark position={OLDER} /> })}</li>
    </ul>
  );
}
