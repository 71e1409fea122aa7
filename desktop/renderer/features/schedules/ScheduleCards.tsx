import { Edit } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { runRetention, schedule, type RetentionDetails, type ScheduleDetails } from '#shared/contract/schedules.ts';
import { RETENTION_FIELDS, RETENTION_LABELS } from '#shared/rules/retention-rules.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import { FailedCard } from '#renderer/ui/FailedCard.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { scheduleText } from './daily/schedule-form.ts';

/**
 * Cards on the page of an activity: its schedule, if no inputs need to be filled in, and how long its runs are
 * retained.
 */
export function ActivityScheduleCards({ activityId }: { activityId: number }) {
  const params = { id: activityId };
  const schedules = useQuery(queryOf(schedule, { params }));
  const retention = useQuery(queryOf(runRetention, { params }));
  const scheduled = schedules.data;
  return (
    <>
      {scheduled && (
        <ScheduleCard
          details={scheduled}
          path={scheduled.CanSchedule || scheduled.Schedule !== null ? `/activities/schedule/edit/${activityId}` : null}
          additionalPath={`/activities/schedule/further/${activityId}`}
        />
      )}
      {!scheduled && schedules.error && <FailedCard title={t('Run Schedule')} query={schedules} />}
      {retention.data && <RetentionCard details={retention.data} />}
      {!retention.data && retention.error && <FailedCard title={t('Run Retention')} query={retention} />}
    </>
  );
}

interface ScheduleCardProps {
  details: Pick<ScheduleDetails, 'Schedule' | 'NextTime' | 'PausedTime' | 'TimeZone' | 'UserFullName' | 'Further'>;
  /** Path of the page that edits the schedule; null if the user may not edit it. */
  path: string | null;
  /** Path of the page with additional schedules; absent if the user may not edit them. */
  additionalPath?: string;
}

export function ScheduleCard({ details, path, additionalPath }: ScheduleCardProps) {
  const { Schedule, TimeZone, UserFullName, Further } = details;
  return (
    <Card title={t('Run Schedule')}>
      {Schedule === null && Further.Count === 0 && <p className="rs-muted">{t('No schedule starts it.')}</p>}
      {Schedule !== null && (
        <p>
          {scheduleText(Schedule, TimeZone)}
          <br />
          <span className="rs-muted">
            {rich('{scheduleMoment} as {userFullName}', {
              scheduleMoment: <NextRunText details={details} />,
              userFullName: UserFullName,
            })}
          </span>
        </p>
      )}
      {Further.Count > 0 && (
        <p>
          {t('{count, plural, one {1 more schedule} other {# more schedules}}', { count: Further.Count })}
          {Further.NextTime !== null && (
            <>
              <br />
              <span className="rs-muted">
                {rich('Next run {nextTime}', { nextTime: <DateText value={Further.NextTime} /> })}
              </span>
            </>
          )}
        </p>
      )}
      {path !== null && (
        <LinkButton to={path} icon={<Edit />} text={t('Edit')} aria-label={t('Edit the run schedule')} />
      )}
      {additionalPath !== undefined && <LinkButton to={additionalPath} variant="minimal" text={t('More schedules')} />}
    </Card>
  );
}

function NextRunText({ details: { NextTime, PausedTime } }: Pick<ScheduleCardProps, 'details'>) {
  if (PausedTime !== null) {
    return <>{rich('Paused since {pausedTime},', { pausedTime: <DateText value={PausedTime} /> })}</>;
  }
  if (NextTime === null) return null;
  return <>{rich('Next run {nextTime}', { nextTime: <DateText value={NextTime} /> })}</>;
}

function RetentionCard({ details }: { details: RetentionDetails }) {
  const set = RETENTION_FIELDS.filter((field) => details[field] !== null);
  return (
    <Card title={t('Run Retention')}>
      {set.length === 0 && <p className="rs-muted">{t('Runs are retained forever.')}</p>}
      {set.length > 0 && (
        <ul className="rs-plain-list">
          {set.map((field) => (
            <li key={field}>
              {t('{label}: {days, plural, one {# day} other {# days}}', {
                label: said(RETENTION_LABELS[field]),
                days: details[field],
              })}
            </li>
          ))}
        </ul>
      )}
      <LinkButton
        to={`/activities/runretention/edit/${details.ActivityId}`}
        icon={<Edit />}
        text={t('Edit')}
        aria-label={t('Edit the run retention')}
      />
    </Card>
  );
}
