import { Button, HTMLSelect } from '@blueprintjs/core';
import { useEffect, useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ScheduleDetails } from '#shared/contract/schedules.ts';
import { cleanSchedule, type ScheduleIssue } from '#shared/rules/schedule-rules.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TimeField } from '#renderer/ui/date/TimeField.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { draftOf, fieldsOfSchedule, scheduleFormIssues, type ScheduleFields } from './schedule-form.ts';
import { useSaving } from '#renderer/ui/query/use-saving.ts';

const fieldId = (field: ScheduleIssue['field']): string => `schedule-${field}`;

/** The activity or checklist of a schedule, and the calls that change the schedule. */
export interface ScheduleOwner {
  name: string;
  /** Path of the owner's editor. */
  path: string;
  /** Key of the stored draft. */
  key: string;
  /** The stored schedule, as it is now. */
  read: () => Promise<StoredSchedule>;
  save: (plan: { UserId: number; Schedule: string; Revision: number | null }) => Promise<void>;
  remove: () => Promise<void>;
}

type StoredSchedule = Pick<ScheduleDetails, 'Schedule' | 'PausedTime' | 'Revision'>;

interface ScheduleFormProps {
  owner: ScheduleOwner;
  details: ShownSchedule;
}

type ShownSchedule = Pick<
  ScheduleDetails,
  'Schedule' | 'NextTime' | 'PausedTime' | 'TimeZone' | 'UserFullName' | 'Revision'
>;

/** With the time since when it is paused: a save resumes it, so a pause counts as a change of somebody else. */
type EditedSchedule = ScheduleFields & Pick<ScheduleDetails, 'PausedTime'>;

const openedOf = ({ Schedule, PausedTime, Revision }: StoredSchedule): Opened<EditedSchedule> => ({
  fields: { ...fieldsOfSchedule(Schedule), PausedTime },
  revision: Revision,
});

export function ScheduleForm({ owner, details }: ScheduleFormProps) {
  const edit = useEdited(openedOf(details), async () => openedOf(await owner.read()));
  const { fields, setFields } = edit;
  const [attempt, setAttempt] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const me = useProfile();
  const saving = useSaving();
  const navigate = useNavigate();
  const { isDone } = saving;
  useEffect(() => {
    // Navigate only after the saved state is rendered, because the leave warning would block it before.
    if (isDone) void navigate(owner.path, { replace: true });
  }, [isDone, navigate, owner.path]);

  const issues = scheduleFormIssues(fields);
  const shown = attempt > 0 ? issues : [];
  const errorOf = (field: ScheduleIssue['field']) => shown.find((issue) => issue.field === field)?.message ?? null;
  const write = (change: Partial<ScheduleFields>): void => setFields((before) => ({ ...before, ...change }));

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (issues.length > 0 || !me) return;
    const Schedule = JSON.stringify(cleanSchedule(draftOf(fields)));
    void saving.run(t('Schedule updated'), () =>
      edit.save((Revision) => owner.save({ UserId: me.UserId, Schedule, Revision })),
    );
  };
  const remove = (): void => {
    setAsking(false);
    void saving.run(t('Schedule deleted'), owner.remove);
  };
  const isUnsaved = !isDone && edit.isChanged;
  useSessionDraft(owner.key, isUnsaved ? edit.draft : null, edit.restore);

  return (
    <form onSubmit={submit} noValidate>
      <LeaveWarning isUnsaved={isUnsaved} />
      <RunSchedule details={details} fields={fields} write={write} errorOf={errorOf} />
      <RetrySchedule fields={fields} write={write} errorOf={errorOf} />
      <ErrorSummary
        title={saving.failure ?? (shown.length > 0 ? t('Please correct the errors shown.') : null)}
        issues={shown.map(({ field, message }) => ({ fieldId: fieldId(field), message }))}
        attempt={attempt}
      />
      <EditConflict edit={edit} isSaving={saving.isSaving} />
      <div className="rs-form-actions">
        <SubmitButton text={t('Update')} loading={saving.isSaving} />
        {details.Schedule !== null && (
          <Button text={t('Delete')} intent="danger" variant="outlined" onClick={() => setAsking(true)} />
        )}
      </div>
      <DeleteDialog isOpen={isAsking} onCancel={() => setAsking(false)} onConfirm={remove}>
        {t('Delete the schedule of {name}?', { name: owner.name })}
      </DeleteDialog>
    </form>
  );
}

interface PartProps {
  fields: EditedSchedule;
  write: (change: Partial<ScheduleFields>) => void;
  errorOf: (field: ScheduleIssue['field']) => string | null;
}

function RunSchedule({ details, fields, write, errorOf }: PartProps & { details: ShownSchedule }) {
  return (
    <Card title={t('Run Schedule')}>
      <FormField label={t('Schedule Type')} required id={fieldId('ScheduleType')} error={errorOf('ScheduleType')}>
        {({ intent: _intent, ...field }) => (
          <HTMLSelect
            {...field}
            value={fields.ScheduleType}
            onChange={(event) => write({ ScheduleType: event.currentTarget.value })}
            options={[
              { value: '', label: t('Select…') },
              { value: 'Daily', label: t('Daily') },
            ]}
          />
        )}
      </FormField>
      <FormField
        label={t('Schedule Time')}
        required
        id={fieldId('TimeOfDay')}
        error={errorOf('TimeOfDay')}
        helper={t('In the time zone {timeZone}', { timeZone: details.TimeZone })}
      >
        {(field) => <TimeField field={field} value={fields.time} onChange={(time) => write({ time })} />}
      </FormField>
      {details.NextTime !== null && fields.PausedTime === null && (
        <p className="rs-muted">
          {rich('Next run {nextTime} in your time zone, as {userFullName}.', {
            nextTime: <DateText value={details.NextTime} />,
            userFullName: details.UserFullName,
          })}
        </p>
      )}
      {fields.PausedTime !== null && (
        <p>
          {rich(
            'Paused since {pausedTime}. To resume it, select <strong>Update</strong>, or resume it under <link>Schedules</link>.',
            {
              pausedTime: <DateText value={fields.PausedTime} />,
              strong: <strong />,
              link: <Link to="/schedules" />,
            },
          )}
        </p>
      )}
      <p className="rs-muted">{t('Each run uses the rights of the person who last updated the schedule.')}</p>
    </Card>
  );
}

function RetrySchedule({ fields, write, errorOf }: PartProps) {
  return (
    <Card title={t('Retry Schedule')}>
      <TextField
        id={fieldId('RetryCount')}
        label={t('Retry Attempts')}
        inputMode="numeric"
        value={fields.RetryCount}
        onChange={(RetryCount) => write({ RetryCount })}
        error={errorOf('RetryCount')}
        helper={t('How many times an unsuccessful run is retried; 0 for never')}
      />
      <TextField
        id={fieldId('RetryInterval')}
        label={t('Retry Interval')}
        labelInfo={t('minutes')}
        inputMode="numeric"
        value={fields.RetryInterval}
        onChange={(RetryInterval) => write({ RetryInterval })}
        error={errorOf('RetryInterval')}
        helper={t('Time between the end of a run and the next attempt, up to one day')}
      />
    </Card>
  );
}
