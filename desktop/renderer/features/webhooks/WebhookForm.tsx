import { Button, Checkbox, Switch } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { useState, type FormEvent, type ReactNode } from 'react';
import { WEBHOOK_NAME_MAX, WEBHOOK_URL_MAX, type WebhookDraft } from '#shared/contract/webhooks.ts';
import { webhookUrlIssue } from '#shared/rules/webhook-rules.ts';
import { useActivities } from '#renderer/features/activities/use-activities.ts';
import { AddActivity } from '#renderer/features/checklists/AddActivity.tsx';
import { t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited, type Edited } from '#renderer/ui/edit/use-edited.ts';
import { ErrorSummary, type ErrorSummaryProps } from '#renderer/ui/ErrorSummary.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { EVENT_TEXTS } from './webhook-texts.ts';

interface WebhookFormProps {
  /** Without a Revision if it is new. */
  webhook: WebhookDraft & { Revision?: number };
  /** The webhook as it is stored now; absent for a new one. */
  read?: () => Promise<WebhookDraft & { Revision?: number }>;
  submitText: string;
  isBusy: boolean;
  /** Failure of the last submission. */
  failure: ErrorSummaryProps;
  onSubmit: (draft: WebhookDraft, save: Edited<WebhookDraft>['save']) => void;
  more?: ReactNode;
}

const draftOf = (from: WebhookDraft): WebhookDraft => ({
  Name: from.Name,
  Url: from.Url,
  OnRunEnded: from.OnRunEnded,
  OnVersionPublished: from.OnVersionPublished,
  OnApprovalAsked: from.OnApprovalAsked,
  IsActive: from.IsActive,
  ActivityIds: from.ActivityIds,
});

const openedOf = (webhook: WebhookFormProps['webhook']): Opened<WebhookDraft> => ({
  fields: draftOf(webhook),
  revision: webhook.Revision ?? null,
});

/** As the server stores it. */
const storedDraft = (draft: WebhookDraft): WebhookDraft => ({
  ...draftOf(draft),
  Name: draft.Name.trim(),
  Url: draft.Url.trim(),
  ActivityIds: draft.ActivityIds.toSorted((a, b) => a - b),
});

export function WebhookForm(props: WebhookFormProps) {
  const { webhook, read = async () => webhook, submitText, isBusy, failure, onSubmit, more } = props;
  const edit = useEdited(openedOf(webhook), async () => openedOf(await read()));
  const { fields: draft, setFields: setDraft } = edit;
  const [isTried, setTried] = useState(false);
  const write = (change: Partial<WebhookDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const choose = (change: IdChange): void =>
    setDraft((before) => ({ ...before, ActivityIds: change(before.ActivityIds) }));
  const nameIssue = draft.Name.trim() === '' ? t('Enter a name') : null;
  const urlIssue = webhookUrlIssue(draft.Url);
  const isUnsaved = !isBusy && edit.isChanged;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (nameIssue === null && urlIssue === null) onSubmit(storedDraft(draft), edit.save);
  };
  return (
    <form onSubmit={submit} noValidate>
      <LeaveWarning isUnsaved={isUnsaved} />
      <Card title={t('Receiver')}>
        <TextField
          label={t('Name')}
          required
          maxLength={WEBHOOK_NAME_MAX}
          value={draft.Name}
          onChange={(Name) => write({ Name })}
          error={isTried ? nameIssue : null}
        />
        <TextField
          label={t('Address')}
          required
          maxLength={WEBHOOK_URL_MAX}
          value={draft.Url}
          onChange={(Url) => write({ Url })}
          error={isTried ? urlIssue : null}
          helper={t('Begins with https://')}
        />
        <Switch
          label={t('On')}
          checked={draft.IsActive}
          onChange={(event) => write({ IsActive: event.currentTarget.checked })}
        />
      </Card>
      <Card title={t('Events')}>
        {EVENT_TEXTS.map(({ field, text }) => (
          <Checkbox
            key={field}
            label={text}
            checked={draft[field]}
            onChange={(event) => write({ [field]: event.currentTarget.checked })}
          />
        ))}
        <ChosenActivities chosen={draft.ActivityIds} onChange={choose} />
      </Card>
      <ErrorSummary {...failure} />
      <EditConflict edit={edit} isSaving={isBusy} />
      <div className="rs-form-actions">
        <SubmitButton text={submitText} loading={isBusy} />
        {more}
      </div>
    </form>
  );
}

/** Gets the ids as they are then: an activity is added only after its details have arrived. */
type IdChange = (present: readonly number[]) => number[];

interface ChosenActivitiesProps {
  chosen: readonly number[];
  onChange: (change: IdChange) => void;
}

function ChosenActivities({ chosen, onChange }: ChosenActivitiesProps) {
  const names = new Map((useActivities().data?.Activities ?? []).map(({ Id, Name }) => [Id, Name]));
  return (
    <>
      <AddActivity
        label={t('Only for these activities')}
        id="webhook-activities"
        chosen={chosen.map((Id) => ({ Id }))}
        onAdd={({ Id }) => onChange((present) => [...new Set([...present, Id])])}
      />
      {chosen.length === 0 && <p className="rs-muted">{t('It is notified about all activities.')}</p>}
      <ul className="rs-plain-list" aria-label={t('Chosen activities')}>
        {chosen.map((id) => {
          const name = names.get(id) ?? t('Activity {id}', { id });
          return (
            <li key={id} className="rs-webhook-chosen">
              <span>{name}</span>
              <Button
                size="small"
                variant="minimal"
                icon={<Cross />}
                aria-label={t('Remove {name}', { name })}
                onClick={() => onChange((present) => present.filter((other) => other !== id))}
              />
            </li>
          );
        })}
      </ul>
    </>
  );
}
