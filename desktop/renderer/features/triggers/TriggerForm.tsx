import { Button } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import type { activityTriggers, SavedTrigger, TriggerList, TriggerUpdate } from '#shared/contract/triggers.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { createSender } from '#renderer/api/create-sender.ts';
import { headlineOf, useSaving } from '#renderer/ui/query/use-saving.ts';
import { issuesElsewhere } from '#renderer/features/schedules/additional/additional-schedule-form.ts';
import { t } from '#renderer/language/translate.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { fieldsOf, shownFields, updateOf, type TriggerFields } from './trigger-form.ts';
import { OverlapPart, ValuesPart, WhatPart } from './TriggerFields.tsx';

export type TriggerCalls = typeof activityTriggers;

interface TriggerFormProps {
  calls: TriggerCalls;
  ownerId: number;
  list: TriggerList;
  opened: Opened<TriggerFields>;
  onSaved: (saved: SavedTrigger) => Promise<void>;
  onCancel: () => void;
}

const createTrigger = ({ save }: TriggerCalls) =>
  createSender<TriggerUpdate, SavedTrigger>({
    create: (body, headers) => call(save, { body, headers }),
    change: async ({ Trigger: { Id }, Secret }, body) => {
      const saved = await call(save, { body: { ...body, Id } });
      // The secret of its address was returned only when the trigger was created.
      return body.Plan.Kind === 'Webhook' ? { ...saved, Secret: saved.Secret ?? Secret } : saved;
    },
  });

/** Reads a trigger that somebody else has changed. */
async function readTrigger({ list }: TriggerCalls, ownerId: number, id: number): Promise<Opened<TriggerFields>> {
  const now = await call(list, { params: { id: ownerId } });
  const item = now.Items.find(({ Id }) => Id === id);
  if (!item) throw new AppFailure('There is no such trigger');
  return { fields: fieldsOf(item, now), revision: item.Revision };
}

export function TriggerForm({ calls, ownerId, list, opened, onSaved, onCancel }: TriggerFormProps) {
  const edit = useEdited(opened, () => readTrigger(calls, ownerId, opened.fields.Id));
  const { fields, setFields } = edit;
  const [attempt, setAttempt] = useState(0);
  const saving = useSaving();
  const [create] = useState(() => createTrigger(calls));
  const { update, issues } = updateOf(fields, ownerId, list);
  const refused = Object.entries(saving.modelState).map(([field, [message = '']]) => ({ field, message }));
  const shown = attempt > 0 ? [...issues, ...refused] : [];
  const part = {
    fields,
    list,
    write: (change: Partial<TriggerFields>): void => {
      setFields((before) => ({ ...before, ...change }));
      saving.forget(Object.keys(change));
    },
    errorOf: (field: string) => shown.find((issue) => issue.field === field)?.message ?? null,
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (!update) return;
    void saving.run(t('Trigger saved'), () =>
      edit.save(async (Revision) =>
        onSaved(await (update.Id === 0 ? create(update) : call(calls.save, { body: { ...update, Revision } }))),
      ),
    );
  };
  const isUnsaved = !saving.isDone && edit.isChanged;
  return (
    <form onSubmit={submit} noValidate aria-label={t('Trigger')}>
      <LeaveWarning isUnsaved={isUnsaved} />
      <WhatPart {...part} />
      <ValuesPart {...part} />
      <OverlapPart {...part} />
      <ErrorSummary
        title={headlineOf(saving) ?? (shown.length > 0 ? t('Please correct the errors shown.') : null)}
        issues={issuesElsewhere(shown, shownFields(fields, list), list.Inputs)}
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
