import { Tag } from '@blueprintjs/core';
import type { OccurrenceOutcome } from '#shared/contract/additional-schedules.ts';
import { t } from '#renderer/language/translate.ts';

const OUTCOMES = { Started: t('Started'), LeftOut: t('Skipped'), Missed: t('Missed'), Refused: t('Refused') };

/** The outcome of a schedule's occurrence, in one word. */
export function OccurrenceTag({ outcome }: { outcome: OccurrenceOutcome }) {
  return (
    <Tag minimal intent={outcome === 'Started' ? 'success' : outcome === 'Refused' ? 'danger' : 'warning'}>
      {OUTCOMES[outcome]}
    </Tag>
  );
}
