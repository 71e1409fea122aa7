import { Edit } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { checklistRetention } from '#shared/contract/checklist-purge.ts';
import { checklistSchedule } from '#shared/contract/checklist-schedules.ts';
import { RETENTION_LABELS } from '#shared/rules/retention-rules.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { ScheduleCard } from '#renderer/features/schedules/ScheduleCards.tsx';
import { said, t } from '#renderer/language/translate.ts';
import { FailedCard } from '#renderer/ui/FailedCard.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';

/**
 * Cards on the page of a checklist: its schedule, if no inputs need to be filled in, and how long its runs are
 * retained.
 */
export function ChecklistScheduleCards({ checklistId }: { checklistId: number }) {
  const params = { id: checklistId };
  const schedule = useQuery(queryOf(checklistSchedule, { params }));
  const retention = useQuery(queryOf(checklistRetention, { params }));
  const scheduled = schedule.data;
  return (
    <div className="rs-checklist-schedules">
      {scheduled && (
        <ScheduleCard
          details={scheduled}
          path={
            scheduled.CanSchedule || scheduled.Schedule !== null ? `/checklists/schedule/edit/${checklistId}` : null
          }
          additionalPath={`/checklists/schedule/further/${checklistId}`}
        />
      )}
      {!scheduled && schedule.error && <FailedCard title={t('Run Schedule')} query={schedule} />}
      {retention.data && <RetentionCard checklistId={checklistId} days={retention.data.RunRetention} />}
      {!retention.data && retention.error && <FailedCard title={t('Run Retention')} query={retention} />}
    </div>
  );
}

function RetentionCard({ checklistId, days }: { checklistId: number; days: number | null }) {
  return (
    <Card title={t('Run Retention')}>
      <p className={days === null ? 'rs-muted' : undefined}>
        {days === null
          ? t('Runs are retained forever.')
          : t('{label}: {days, plural, one {# day} other {# days}}', {
              label: said(RETENTION_LABELS.RunRetention),
              days,
            })}
      </p>
      <LinkButton
        to={`/checklists/runretention/edit/${checklistId}`}
        icon={<Edit />}
        text={t('Edit')}
        aria-label={t('Edit the run retention')}
      />
    </Card>
  );
}
