import { Dialog, DialogBody, HTMLSelect, Switch } from '@blueprintjs/core';
import { ALERT_NAME_MAX, type Alert, type AlertKind, type AlertList } from '#shared/contract/alerts.ts';
import { t } from '#renderer/language/translate.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormDialogFooter } from '#renderer/ui/FormDialogFooter.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { AlertConditionFields } from './AlertConditionFields.tsx';
import { AlertWebhookFields } from './AlertWebhookFields.tsx';
import { KIND_TEXTS } from './alert-fields.ts';
import { peopleOf, type AlertOwner } from './alert-owner.ts';
import { ReceiverFields } from './ReceiverFields.tsx';
import { useAlertForm } from './use-alert-form.ts';

interface AlertDialogProps {
  owner: AlertOwner;
  list: AlertList;
  /** Null for a new alert. */
  alert: Alert | null;
  onClose: () => void;
}

export function AlertDialog({ owner, list, alert, onClose }: AlertDialogProps) {
  const { fields, write, errorOf, summary, submit, edit, isSaving } = useAlertForm({ owner, list, alert, onClose });
  const source = peopleOf(owner);
  const kinds = (Object.keys(KIND_TEXTS) as AlertKind[]).filter(
    (kind) => kind !== 'Value' || owner.kind === 'activities',
  );
  return (
    <Dialog isOpen title={alert ? t('Edit alert') : t('New alert')} className="rs-alert-dialog" onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <TextField
            label={t('Name')}
            required
            maxLength={ALERT_NAME_MAX}
            value={fields.Name}
            onChange={(Name) => write({ Name })}
            error={errorOf('Name')}
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
          <AlertConditionFields fields={fields} write={write} errorOf={errorOf} outputs={list.Outputs} />
          <ReceiverFields
            label={t('Who is notified')}
            source={source}
            list={list}
            receivers={fields.Receivers}
            onChange={(Receivers) => write({ Receivers })}
            error={errorOf('Receivers')}
          />
          <AlertWebhookFields
            webhooks={fields.Webhooks}
            onChange={(Webhooks) => write({ Webhooks })}
            error={errorOf('Webhooks')}
          />
          <TextField
            label={t('Escalate after (minutes)')}
            inputMode="numeric"
            value={fields.escalateMinutes}
            onChange={(escalateMinutes) => write({ escalateMinutes })}
            helper={t('If nobody has opened the alert by then. Leave empty for no escalation')}
            error={errorOf('EscalateMinutes')}
          />
          {fields.escalateMinutes.trim() !== '' && (
            <ReceiverFields
              label={t('Notified next')}
              source={source}
              list={list}
              receivers={fields.NextReceivers}
              onChange={(NextReceivers) => write({ NextReceivers })}
              error={errorOf('NextReceivers')}
            />
          )}
          <Switch
            label={t('On')}
            checked={fields.IsActive}
            onChange={(event) => write({ IsActive: event.currentTarget.checked })}
          />
          <ErrorSummary {...summary} />
          <EditConflict edit={edit} isSaving={isSaving} />
        </DialogBody>
        <FormDialogFooter text={t('Save')} isBusy={isSaving} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
