import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import {
  additionalActivitySchedules,
  additionalChecklistSchedules,
  type AdditionalSchedule,
  type AdditionalScheduleList,
} from '#shared/contract/additional-schedules.ts';
import { listSchedules } from '#shared/contract/schedule-overview.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { useScheduleText } from './cron-words.ts';
import { OccurrenceTag } from './OccurrenceTag.tsx';
import { newFields, openedOf, type AdditionalScheduleFields } from './additional-schedule-form.ts';
import { AdditionalScheduleForm, type AdditionalScheduleCalls } from './AdditionalScheduleForm.tsx';
import '#renderer/features/schedules/schedules.css';

/** /activities/schedule/further/{activityId} */
export function AdditionalActivitySchedulesPage() {
  const id = Number(useParams()['activityId']);
  return (
    <AdditionalSchedulesPage
      key={id}
      id={id}
      calls={additionalActivitySchedules}
      runPath="/activities/runstatus/"
      back={`/activities/edit/${id}/`}
    />
  );
}

/** /checklists/schedule/further/{id} */
export function AdditionalChecklistSchedulesPage() {
  const id = Number(useParams()['id']);
  return (
    <AdditionalSchedulesPage
      key={id}
      id={id}
      calls={additionalChecklistSchedules}
      runPath="/checklists/runstatus/"
      back={`/checklists/edit/${id}/`}
    />
  );
}

interface PageProps {
  id: number;
  calls: AdditionalScheduleCalls;
  /** Path of the status page of a run, without its id. */
  runPath: string;
  back: string;
}

function AdditionalSchedulesPage({ id, calls, runPath, back }: PageProps) {
  const query = useQuery(queryOf(calls.list, { params: { id } }));
  const [edited, setEdited] = useState<Opened<AdditionalScheduleFields> | null>(null);
  const { data: list } = query;
  const refresh = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: keyOf(calls.list) });
    await queryClient.invalidateQueries({ queryKey: keyOf(listSchedules) });
    setEdited(null);
  };
  return (
    <Page title={t('More schedules')} description={list && <Link to={back}>{list.OwnerName}</Link>} narrow>
      {!list && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
      {!list && !query.error && <Skeleton kind="form" />}
      {list && edited && (
        <AdditionalScheduleForm
          key={edited.fields.Id}
          calls={calls}
          ownerId={id}
          list={list}
          opened={edited}
          onSaved={refresh}
          onCancel={() => setEdited(null)}
        />
      )}
      {list && !edited && <AdditionalScheduleItems list={list} calls={calls} runPath={runPath} onEdit={setEdited} />}
    </Page>
  );
}

interface ItemsProps extends Pick<PageProps, 'calls' | 'runPath'> {
  list: AdditionalScheduleList;
  onEdit: (opened: Opened<AdditionalScheduleFields>) => void;
}

function AdditionalScheduleItems({ list, calls, runPath, onEdit }: ItemsProps) {
  const onAdd = (): void => onEdit({ fields: newFields(list.TimeZone), revision: null });
  const add = <Button intent="primary" text={t('Add schedule')} onClick={onAdd} />;
  if (list.Unfillable.length > 0) {
    return (
      <EmptyState title={t('This cannot be scheduled')}>
        {t('These inputs require tables or files and have no default: {unfillable}', {
          unfillable: list.Unfillable.join(', '),
        })}
      </EmptyState>
    );
  }
  if (list.Items.length === 0) {
    return (
      <EmptyState title={t('No other schedules yet')} action={add}>
        {t(
          'Besides the daily schedule, it can run weekly, monthly, or by a cron expression, take holidays into account, and use its own inputs.',
        )}
      </EmptyState>
    );
  }
  return (
    <>
      <div className="rs-schedule-form-add">{add}</div>
      {list.Items.map((item) => (
        <AdditionalScheduleCard
          key={item.Id}
          item={item}
          calls={calls}
          runPath={runPath}
          onEdit={() => onEdit(openedOf(item, list.Inputs))}
        />
      ))}
    </>
  );
}

interface CardProps extends Pick<PageProps, 'calls' | 'runPath'> {
  item: AdditionalSchedule;
  onEdit: () => void;
}

function AdditionalScheduleCard({ item, calls, runPath, onEdit }: CardProps) {
  const { Id, Name, Text, UserFullName, NextTime, PausedTime, PausedReason, WaitsFor } = item;
  const [touched] = useState([calls.list, listSchedules]);
  const { isBusy, change } = useChange(touched);
  const [isAsking, setAsking] = useState(false);
  const text = useScheduleText(Text, item.Plan.Kind === 'Cron' ? item.Plan.Cron : null);
  const params = { id: Id };
  const isPaused = PausedTime !== null;
  return (
    <Card title={Name}>
      <p>
        {text}
        <br />
        <span className="rs-muted">
          {isPaused && <>{rich('Paused since {time}', { time: <DateText value={PausedTime} /> })}</>}
          {!isPaused &&
            (NextTime === null ? t('No more occurrences') : <NextRun time={NextTime} isDue={WaitsFor !== null} />)}
          {t(', as {name}', { name: UserFullName })}
        </span>
      </p>
      {WaitsFor !== null && (
        <p role="note">
          {rich('It waits for {run}, which it started earlier, to end.', {
            run: <Link to={`${runPath}${WaitsFor}/`}>{t('run {id}', { id: WaitsFor })}</Link>,
          })}
        </p>
      )}
      {PausedReason !== null && (
        <p role="note">
          {t(
            'The portal paused this schedule: {pausedReason}. If you save it again, it resumes and runs under your name.',
            {
              pausedReason: said(PausedReason),
            },
          )}
        </p>
      )}
      <div className="rs-schedule-form-actions">
        <Button size="small" text={t('Edit')} aria-label={t('Edit {name}', { name: Name })} onClick={onEdit} />
        <Button
          size="small"
          text={isPaused ? t('Resume') : t('Pause')}
          aria-label={isPaused ? t('Resume {name}', { name: Name }) : t('Pause {name}', { name: Name })}
          loading={isBusy}
          onClick={() =>
            void change(
              () => call(isPaused ? calls.resume : calls.pause, { params }),
              isPaused ? t('Schedule resumed') : t('Schedule paused'),
            )
          }
        />
        <Button
          size="small"
          intent="danger"
          variant="outlined"
          text={t('Delete')}
          aria-label={t('Delete {name}', { name: Name })}
          onClick={() => setAsking(true)}
        />
      </div>
      <LastOccurrences item={item} runPath={runPath} />
      <DeleteDialog
        isOpen={isAsking}
        isBusy={isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={() =>
          void change(() => call(calls.delete, { params }), t('Schedule deleted')).then(
            (isDone) => isDone && setAsking(false),
          )
        }
      >
        {t('Delete the schedule {name}?', { name: Name })}
      </DeleteDialog>
    </Card>
  );
}

function NextRun({ time, isDue }: { time: string; isDue: boolean }) {
  const values = { time: <DateText value={time} /> };
  return (
    <>{isDue ? rich('Due {time} in your time zone', values) : rich('Next run {time} in your time zone', values)}</>
  );
}

function LastOccurrences({ item: { Name, Slots }, runPath }: Pick<CardProps, 'item' | 'runPath'>) {
  if (Slots.length === 0) return null;
  return (
    <details>
      <summary>{t('Past occurrences')}</summary>
      <ul className="rs-plain-list rs-past-occurrences" aria-label={t('Past occurrences of {name}', { name: Name })}>
        {Slots.map(({ SlotTime, Outcome, Message, RunId }) => (
          <li key={SlotTime}>
            <DateText value={SlotTime} />
            <OccurrenceTag outcome={Outcome} />
            {RunId !== null && <Link to={`${runPath}${RunId}/`}>{t('Run {runId}', { runId: RunId })}</Link>}
            {Message !== '' && <span className="rs-muted">{said(Message)}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
