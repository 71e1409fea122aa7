import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState, type FormEvent } from 'react';
import type {
  additionalActivitySchedules,
  AdditionalSchedule,
  AdditionalScheduleList,
  AdditionalScheduleUpdate,
} from '#shared/contract/additional-schedules.ts';
import { AppFailure, toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { createSender } from '#renderer/api/create-sender.ts';
import { keepPrevious, queryOf } from '#renderer/api/queries.ts';
import { headlineOf, useSaving } from '#renderer/ui/query/use-saving.ts';
import { currentLocale, said, t } from '#renderer/language/translate.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { useScheduleText } from './cron-words.ts';
import {
  issuesElsewhere,
  openedOf,
  shownFields,
  updateOf,
  type AdditionalScheduleFields,
} from './additional-schedule-form.ts';
import { InputsPart, RulesPart, WhenPart } from './AdditionalScheduleFields.tsx';

export type AdditionalScheduleCalls = typeof additionalActivitySchedules;

interface AdditionalScheduleFormProps {
  calls: AdditionalScheduleCalls;
  ownerId: number;
  list: AdditionalScheduleList;
  opened: Opened<AdditionalScheduleFields>;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

const createScheduleSender = ({ save }: AdditionalScheduleCalls) =>
  createSender<AdditionalScheduleUpdate, AdditionalSchedule>({
    create: (body, headers) => call(save, { body, headers }),
    change: ({ Id }, body) => call(save, { body: { ...body, Id } }),
  });

/** Reads a schedule that somebody else has changed. */
async function readSchedule(
  { list }: AdditionalScheduleCalls,
  ownerId: number,
  id: number,
): Promise<Opened<AdditionalScheduleFields>> {
  const { Items, Inputs } = await call(list, { params: { id: ownerId } });
  const item = Items.find(({ Id }) => Id === id);
  if (!item) throw new AppFailure('There is no schedule');
  return openedOf(item, Inputs);
}

export function AdditionalScheduleForm({
  calls,
  ownerId,
  list,
  opened,
  onSaved,
  onCancel,
}: AdditionalScheduleFormProps) {
  const edit = useEdited(opened, () => readSchedule(calls, ownerId, opened.fields.Id));
  const { fields, setFields } = edit;
  const [attempt, setAttempt] = useState(0);
  const saving = useSaving();
  const [create] = useState(() => createScheduleSender(calls));
  const { update, issues } = updateOf(fields, ownerId, list.Inputs);
  const refused = Object.entries(saving.modelState).map(([field, [message = '']]) => ({ field, message }));
  const shown = attempt > 0 ? [...issues, ...refused] : [];
  const write = (change: Partial<AdditionalScheduleFields>): void => {
    setFields((before) => ({ ...before, ...change }));
    saving.forget(Object.keys(change));
  };
  const part = {
    fields,
    write,
    errorOf: (field: string) => shown.find((issue) => issue.field === field)?.message ?? null,
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (!update) return;
    void saving.run(t('Schedule saved'), async () => {
      await edit.save(async (Revision) => {
        await (update.Id === 0 ? create(update) : call(calls.save, { body: { ...update, Revision } }));
      });
      await onSaved();
    });
  };
  const isUnsaved = !saving.isDone && edit.isChanged;
  return (
    <form onSubmit={submit} noValidate aria-label={t('Schedule')}>
      <LeaveWarning isUnsaved={isUnsaved} />
      <WhenPart {...part} />
      <InputsPart {...part} asked={list.Inputs} />
      <RulesPart {...part} />
      <Preview calls={calls} fields={fields} ownerId={ownerId} list={list} />
      <ErrorSummary
        title={headlineOf(saving) ?? (shown.length > 0 ? t('Please correct the errors shown.') : null)}
        issues={issuesElsewhere(shown, shownFields(fields), list.Inputs)}
        attempt={attempt}
      />
      <EditConflict edit={edit} isSaving={saving.isSaving} />
      <div className="rs-form-actions">
        <SubmitButton text={fields.Id === 0 ? t('Add') : t('Update')} loading={saving.isSaving} />
        <Button text={t('Cancel')} onClick={onCancel} />
      </div>
    </form>
  );
}

interface PreviewProps extends Pick<AdditionalScheduleFormProps, 'calls' | 'ownerId' | 'list'> {
  fields: AdditionalScheduleFields;
}

/** Shows the exact times at which the server would start the schedule. */
function Preview({ calls, fields, ownerId, list }: PreviewProps) {
  const deferred = useDeferredValue(fields);
  // Fill in placeholders: the name, the retry and missed-run rules and missing inputs do not affect the start times.
  const optional = list.Inputs.map((input) => ({ ...input, IsNeeded: false }));
  const { update } = updateOf({ ...deferred, Name: '-', RetryCount: '0', MissedMax: '1' }, ownerId, optional);
  const { Plan, TimeZone, CalendarId, HolidayRule, Inputs } = update ?? {};
  const body = update && { OwnerId: ownerId, Plan, TimeZone, CalendarId, HolidayRule, Inputs };
  const { data, error } = useQuery({
    ...queryOf(calls.preview, { body: body as never }),
    enabled: body !== null,
    ...keepPrevious,
  });
  const text = useScheduleText(data?.Text ?? '', Plan?.Kind === 'Cron' ? Plan.Cron : null);
  return (
    <Card title={t('Next occurrences')}>
      {!body && (
        <p className="rs-muted">{t('The occurrences appear once the fields above are filled in correctly.')}</p>
      )}
      {error && body && <p role="status">{said(toFailure(error).message)}</p>}
      {body && !error && data && (
        <>
          <p>{text}</p>
          {data.Moments.length === 0 && <p>{t('No more occurrences.')}</p>}
          <ol className="rs-next-occurrences" aria-label={t('Next occurrences')}>
            {data.Moments.map(({ Time, Local, Dates }) => (
              <li key={Time}>
                {localTimeText(TimeZone, Time) ?? Local}
                {Dates.length > 0 && (
                  <span className="rs-muted">
                    {' '}
                    {Dates.map(({ Name, Text }) => `${Name}: ${said(Text)}`).join(', ')}
                  </span>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  );
}

/**
 * Returns the local date and time in the time zone, in the user's language. Null in English, because the server has
 * already formatted it.
 */
function localTimeText(timeZone: string | undefined, time: string): string | null {
  if (currentLocale() === 'en' || timeZone === undefined) return null;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  return new Date(time).toLocaleString(currentLocale(), { weekday: 'short', ...parts, timeZone });
}
