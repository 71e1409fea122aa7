import { Button, ButtonGroup } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import { PERIODS, type OperatorFilter, type Period } from './operator-filter.ts';

const PERIOD_TEXTS: Record<Period, string> = {
  evening: t('Since yesterday 18:00'),
  day: t('24 hours'),
  week: t('7 days'),
};

interface PeriodButtonsProps {
  filter: OperatorFilter;
  /** False where the day is chosen in another way. */
  hasPeriods: boolean;
  onChange: (filter: Partial<OperatorFilter>) => void;
}

/** The searches that operators make every day, each with one click. A second click removes them. */
export function PeriodButtons({ filter, hasPeriods, onChange }: PeriodButtonsProps) {
  return (
    <ButtonGroup role="group" aria-label={t('Period')}>
      {(hasPeriods ? PERIODS : []).map((period) => {
        const isChosen = filter.period === period;
        return (
          <Button
            key={period}
            text={PERIOD_TEXTS[period]}
            active={isChosen}
            aria-pressed={isChosen}
            onClick={() => onChange({ period: isChosen ? null : period, from: '', to: '' })}
          />
        );
      })}
      <Button
        text={t('Mine')}
        active={filter.isMine}
        aria-pressed={filter.isMine}
        onClick={() => onChange({ isMine: !filter.isMine })}
      />
    </ButtonGroup>
  );
}
