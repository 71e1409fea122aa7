import { Button, Tag } from '@blueprintjs/core';
import { Edit, Pause, Play } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import {
  listSchedules,
  pauseChecklistSchedule,
  pauseSchedule,
  resumeChecklistSchedule,
  resumeSchedule,
  type ScheduledItem,
} from '#shared/contract/schedule-overview.ts';
import { checklistSchedule } from '#shared/contract/checklist-schedules.ts';
import { schedule } from '#shared/contract/schedules.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { additionalActivitySchedules, additionalChecklistSchedules } from '#shared/contract/additional-schedules.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { runStatusPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { rich, said, t } from '#renderer/language/translate.ts';
import { useScheduleText } from '#renderer/features/schedules/additional/cron-words.ts';
import { OccurrenceTag } from '#renderer/features/schedules/additional/OccurrenceTag.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { scheduleText } from '../daily/schedule-form.ts';

const TOUCHED = [
  listSchedules,
  schedule,
  checklistSchedule,
  additionalActivitySchedules.list,
  additionalChecklistSchedules.list,
];

/** One schedule: what it starts, when, the last outcome, and its actions. */
export function ScheduledEntry({ item }: { item: ScheduledItem }) {
  const { Kind, Id, Name, Schedule, Timetable, TimeZone, UserFullName, CanEdit } = item;
  const isActivity = Kind === 'Activity';
  const text = useScheduleText(Timetable?.Text ?? '', Timetable?.Cron ?? null);
  return (
    <li>
      <div className="rs-schedule-name">
        <Link to={isActivity ? `/activities/${Id}/` : `/checklists/runhistory/${Id}/`}>
          <strong>{Name}</strong>
        </Link>
        {!isActivity && <Tag minimal>{item.IsWorkflow ? t('Workflow') : t('Checklist')}</Tag>}
        <span className="rs-muted rs-schedule-plan">
          {t('{schedule}, as {userFullName}', {
            schedule: Timetable ? `${Timetable.Name}: ${text}` : scheduleText(Schedule!, TimeZone),
            userFullName: UserFullName,
          })}
        </span>
      </div>
      <NextTimes item={item} />
      <LastOutcome item={item} />
      {CanEdit && (
        <div className="rs-schedule-actions">
          <PauseButton item={item} />
          <LinkButton
            variant="minimal"
            size="small"
            to={`/${isActivity ? 'activities' : 'checklists'}/schedule/${Timetable ? 'further' : 'edit'}/${Id}`}
            icon={<Edit />}
            text={t('Edit')}
            aria-label={t('Edit the schedule of {name}', { name: Name })}
          />
        </div>
      )}
      <WhyNot item={item} />
    </li>
  );
}

function NextTimes({ item: { NextTimes: times, PausedTime, IsActive, IsWaiting } }: { item: ScheduledItem }) {
  const [next, ...later] = times;
  if (next === undefined) {
    return (
      <div className="rs-schedule-times">
        {PausedTime === null ? (
          <span className="rs-muted">
            {IsActive ? t('No more occurrences') : t('On hold because the activity is not active')}
          </span>
        ) : (
          <span>{rich('Paused since {pausedTime}', { pausedTime: <DateText value={PausedTime} /> })}</span>
        )}
      </div>
    );
  }
  const shown = { next: <DateText value={next} as="relative" /> };
  return (
    <div className="rs-schedule-times">
      <span>{IsWaiting ? rich('Due: {next}', shown) : rich('Next: {next}', shown)}</span>
      {later.length > 0 && (
        <span className="rs-muted">
          {t('then')}{' '}
          {later.map((time, index) => (
            <span key={time}>
              {index > 0 && ', '}
              <DateText value={time} as="day" />
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

function LastOutcome({ item: { Kind, IsWorkflow, LastRun } }: { item: ScheduledItem }) {
  if (LastRun === null) return <div className="rs-schedule-last rs-muted">{t('Not started yet')}</div>;
  const { Id, Status, QueueTime } = LastRun;
  const path = Kind === 'Activity' ? `/activities/runstatus/${Id}/` : runStatusPath(Id, IsWorkflow);
  return (
    <div className="rs-schedule-last">
      <Link to={path}>
        <StatusTag status={Status} />
      </Link>
      <span className="rs-muted">
        <DateText value={QueueTime} as="relative" />
      </span>
    </div>
  );
}

/** Explains why the schedule did not or does not start a run. Renders nothing if the next start time says it all. */
function WhyNot({ item: { PausedReason, IsWaiting, NotStarted, LastRun } }: { item: ScheduledItem }) {
  if (PausedReason === null && !IsWaiting && NotStarted === null) return null;
  const before = LastRun !== null && isPending(LastRun.Status) ? LastRun.Id : null;
  return (
    <div className="rs-schedule-why" role="note">
      {PausedReason !== null && <div>{t('The portal paused it: {reason}', { reason: said(PausedReason) })}</div>}
      {IsWaiting && (
        <div>
          {before === null
            ? t('It waits for the run that it started earlier to end.')
            : t('It waits for run {id}, which it started earlier, to end.', { id: before })}
        </div>
      )}
      {NotStarted !== null && (
        <div>
          <DateText value={NotStarted.SlotTime} /> <OccurrenceTag outcome={NotStarted.Outcome} />{' '}
          {said(NotStarted.Message)}
        </div>
      )}
    </div>
  );
}

function PauseButton({ item: { Kind, Id, Name, PausedTime, Timetable } }: { item: ScheduledItem }) {
  const { isBusy, change } = useChange(TOUCHED);
  const reason = useServerReason();
  const isPaused = PausedTime !== null;
  const additionalCalls = Kind === 'Activity' ? additionalActivitySchedules : additionalChecklistSchedules;
  const daily =
    Kind === 'Activity'
      ? { pause: pauseSchedule, resume: resumeSchedule }
      : { pause: pauseChecklistSchedule, resume: resumeChecklistSchedule };
  const calls = Timetable ? additionalCalls : daily;
  const press = () =>
    change(
      () => call(isPaused ? calls.resume : calls.pause, { params: { id: Timetable?.Id ?? Id } }),
      isPaused ? t('Schedule resumed') : t('Schedule paused'),
    );
  return (
    <Button
      variant="minimal"
      size="small"
      icon={isPaused ? <Play /> : <Pause />}
      text={isPaused ? t('Resume') : t('Pause')}
      aria-label={t(isPaused ? 'Resume the schedule of {name}' : 'Pause the schedule of {name}', { name: Name })}
      loading={isBusy}
      disabled={reason !== undefined}
      title={reason}
      onClick={() => void press()}
    />
  );
}
