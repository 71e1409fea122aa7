import { Button, Callout, Dialog, DialogBody, DialogFooter, HTMLSelect, Switch } from '@blueprintjs/core';
import { useState, type FormEvent } from 'react';
import {
  ALERT_NAME_MAX,
  activityAlerts,
  checklistAlerts,
  type Alert,
  type AlertKind,
  type AlertList,
} from '#shared/contract/alerts.ts';
import { useFormChange } from '#renderer/features/administration/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { AlertConditionFields } from './AlertConditionFields.tsx';
import { AlertWebhookFields } from './AlertWebhookFields.tsx';
import { fieldsOf, KIND_TEXTS, newFields, readFields, type AlertFields } from './alert-fields.ts';
import { saveAlert, type AlertOwner } from './alert-owner.ts';
import { ReceiverFields } from './ReceiverFields.tsx';

const TOUCHED = [activityAlerts, checklistAlerts] as const;

interface AlertDialogProps {
  owner: AlertOwner;
  list: AlertList;
  /** Null for a new one. */
  alert: Alert | null;
  onClose: () => void;
}

export function AlertDialog({ owner, list, alert, onClose }: AlertDialogProps) {
  const [fields, setFields] = useState(() => (alert ? fieldsOf(alert, list) : newFields(list)));
  const [issue, setIssue] = useState<string | null>(null);
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  const write = (changed: Partial<AlertFields>): void => {
    setFields((before) => ({ ...before, ...changed }));
    setIssue(null);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const read = readFields(fields, alert?.Id ?? null, list.CanMail);
    setIssue('issue' in read ? read.issue : null);
    if ('draft' in read && (await change(() => saveAlert(owner, read.draft), t('Alert saved')))) onClose();
  };
  const kinds = (Object.keys(KIND_TEXTS) as AlertKind[]).filter(
    (kind) => kind !== 'Value' || owner.kind === 'activities',
  );
  return (
    <Dialog isOpen title={alert ? t('Edit alert') : t('New alert')} className="rs-alert-dialog" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <DialogBody>
          <TextField
            label={t('Name')}
            required
            maxLength={ALERT_NAME_MAX}
            value={fields.Name}
            onChange={(Name) => write({ Name })}
          />
          <FormField label={t('When')}>
            {({ id }) => (
              <HTMLSelect
                id={id}
                value={fields.Kind}
                options={kinds.map((value) => ({ value, label: KIND_TEXTS[value] }))}
                onChange={({ currentTarget: { value } }) => write({ Kind: value as AlertKind })}
              />
            )}
          </FormField>
          <AlertConditionFields fields={fields} write={write} outputs={list.Outputs} />
          <ReceiverFields
            label={t('Who is told')}
            owner={owner}
            list={list}
            receivers={fields.Receivers}
            onChange={(Receivers) => write({ Receivers })}
          />
          <AlertWebhookFields webhooks={fields.Webhooks} onChange={(Webhooks) => write({ Webhooks })} />
          <TextField
            label={t('Who is told next, after minutes')}
            inputMode="numeric"
            maxLength={5}
            value={fields.escalateMinutes}
            onChange={(escalateMinutes) => write({ escalateMinutes })}
            helper={t('Where nobody has looked by then. Empty: nobody')}
          />
          {fields.escalateMinutes.trim() !== '' && (
            <ReceiverFields
              label={t('Told next')}
              owner={owner}
              list={list}
              receivers={fields.NextReceivers}
              onChange={(NextReceivers) => write({ NextReceivers })}
            />
          )}
          <Switch
            label={t('On')}
            checked={fields.IsActive}
            onChange={(event) => write({ IsActive: event.currentTarget.checked })}
          />
          <ErrorSummary {...failure} />
          {issue !== null && (
            <Callout intent="danger" role="alert">
              {issue}
            </Callout>
          )}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('Cancel')} onClick={onClose} />
              <SubmitButton text={t('Save')} loading={isBusy} />
            </>
          }
        />
      </form>
    </Dialog>
  );
}
