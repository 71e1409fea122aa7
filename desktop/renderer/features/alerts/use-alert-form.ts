import { useState, type FormEvent } from 'react';
import { activityAlerts, checklistAlerts, type Alert, type AlertList } from '#shared/contract/alerts.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { headlineOf, useSaving } from '#renderer/ui/query/use-saving.ts';
import { t } from '#renderer/language/translate.ts';
import {
  ALERT_FIELDS,
  channelsToSave,
  fieldsOf,
  newFields,
  readFields,
  type AlertField,
  type AlertFields,
  type AlertIssues,
} from './alert-fields.ts';
import { createAlert, listOf, saveAlert, type AlertOwner } from './alert-owner.ts';

interface AlertFormOptions {
  owner: AlertOwner;
  list: AlertList;
  alert: Alert | null;
  onClose: () => void;
}

/** Returns the problem of a field; null if there is none. */
export type AlertErrorOf = (field: AlertField) => string | null;

const openedOf = (alert: Alert | null, list: AlertList) =>
  alert ? { fields: fieldsOf(alert, list), revision: alert.Revision } : { fields: newFields(list), revision: null };

/** State of the alert form: the typed values, their problems after submitting, and the save progress. */
export function useAlertForm({ owner, list, alert, onClose }: AlertFormOptions) {
  const [opened] = useState(() => openedOf(alert, list));
  const edit = useEdited(opened, async () => {
    const now = await call(listOf(owner), { params: { id: owner.id } });
    return openedOf(now.Items.find(({ Id }) => Id === alert?.Id) ?? alert, now);
  });
  const { setFields } = edit;
  const stored = edit.isShowingTheirs ? edit.fields : edit.draft.opened.fields;
  const fields = { ...edit.fields, Webhooks: channelsToSave(edit.fields.Webhooks, stored.Webhooks) };
  const [attempt, setAttempt] = useState(0);
  const saving = useSaving();
  const [create] = useState(() => createAlert(owner));
  const read = readFields(fields, alert?.Id ?? null, list.CanMail);
  const own: AlertIssues = attempt > 0 && 'issues' in read ? read.issues : {};
  const refused = Object.entries(saving.modelState).map(([field, [message = '']]) => ({ field, message }));
  const errorOf: AlertErrorOf = (field) => own[field] ?? refused.find((one) => one.field === field)?.message ?? null;
  const isShown = ALERT_FIELDS.some((field) => errorOf(field) !== null);
  const elsewhere = refused.filter(({ field }) => !ALERT_FIELDS.some((one) => one === field));
  const write = (changed: Partial<AlertFields>): void => {
    setFields((before) => ({ ...before, ...changed }));
    // The server has not judged another kind of condition yet, so clear all its messages.
    saving.forget('Kind' in changed ? Object.keys(saving.modelState) : Object.keys(changed));
    if ('escalateMinutes' in changed) saving.forget(['EscalateMinutes', 'NextReceivers']);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (!('draft' in read)) return;
    void saving.run(t('Alert saved'), async () => {
      await edit.save(async (Revision) => {
        await (alert ? saveAlert(owner, { ...read.draft, Revision }) : create(read.draft));
      });
      const lists = [activityAlerts, checklistAlerts];
      await Promise.all(lists.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })));
      onClose();
    });
  };
  const headline = isShown || elsewhere.length > 0 ? t('Please correct the errors shown.') : null;
  const summary = {
    title: headlineOf(saving) ?? headline,
    issues: elsewhere.map(({ message }) => ({ message })),
    attempt,
  };
  return { fields, write, errorOf, summary, submit, edit, isSaving: saving.isSaving };
}
