import { Dialog, DialogBody, HTMLSelect, Switch } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { alertRule, ruleChoices, rulePeople, type AlertRule, type RuleFiring } from '#shared/contract/alert-rules.ts';
import { ALERT_NAME_MAX, type AlertKind, type AlertList } from '#shared/contract/alerts.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormDialogFooter } from '#renderer/ui/FormDialogFooter.tsx';
import { FieldError, FormField, TextField } from '#renderer/ui/FormField.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { AlertConditionFields } from './AlertConditionFields.tsx';
import { AlertWebhookFields } from './AlertWebhookFields.tsx';
import { KIND_TEXTS } from './alert-fields.ts';
import type { PeopleSource } from './alert-owner.ts';
import { ChannelFields, ReceiverFields } from './ReceiverFields.tsx';
import type { RuleChoices } from './rule-fields.ts';
import { ScopeFields } from './ScopeFields.tsx';
import { useRuleForm } from './use-rule-form.ts';

const KINDS = ['Outcome', 'Long'] as const satisfies AlertKind[];

const PEOPLE: PeopleSource = {
  key: [rulePeople.path],
  find: (Search, signal) => call(rulePeople, { body: { Search }, signal }),
};

interface RuleDialogProps {
  /** Null for a new rule. */
  id: number | null;
  onClose: () => void;
}

export function RuleDialog({ id, onClose }: RuleDialogProps) {
  const choices = useQuery(queryOf(ruleChoices));
  const rule = useQuery({ ...queryOf(alertRule, { params: { id: id ?? 0 } }), enabled: id !== null });
  const title = id === null ? t('New alert rule') : t('Edit alert rule');
  return (
    <Dialog isOpen title={title} className="rs-alert-dialog" onClose={onClose}>
      <QueryStates query={choices} kind="form">
        {(found) =>
          id === null ? (
            <RuleForm choices={found} rule={null} users={[found.Self]} onClose={onClose} />
          ) : (
            <QueryStates query={rule} kind="form">
              {({ Rule, Users }) => <RuleForm choices={found} rule={Rule} users={Users} onClose={onClose} />}
            </QueryStates>
          )
        }
      </QueryStates>
    </Dialog>
  );
}

interface RuleFormProps {
  choices: RuleChoices;
  rule: AlertRule | null;
  users: AlertList['Users'];
  onClose: () => void;
}

function RuleForm({ choices, rule, users, onClose }: RuleFormProps) {
  const { fields, write, errorOf, summary, submit, edit, isSaving } = useRuleForm({ choices, rule, onClose });
  return (
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
        <ScopeFields fields={fields} choices={choices} write={write} error={errorOf('ScopeValue')} />
        <FormField label={t('When')}>
          {({ id }) => (
            <HTMLSelect
              id={id}
              value={fields.Kind}
              options={KINDS.map((value) => ({ value, label: KIND_TEXTS[value] }))}
              onChange={({ currentTarget: { value } }) =>
                write({ Kind: KINDS.find((kind) => kind === value) ?? 'Outcome' })
              }
            />
          )}
        </FormField>
        <AlertConditionFields fields={fields} write={write} errorOf={errorOf} outputs={[]} />
        <Receivers choices={choices} users={users} fields={fields} write={write} errorOf={errorOf} />
        <Switch
          label={t('On')}
          checked={fields.IsActive}
          onChange={(event) => write({ IsActive: event.currentTarget.checked })}
        />
        {rule && rule.Firings.length > 0 && <LastFirings firings={rule.Firings} />}
        <ErrorSummary {...summary} />
        <EditConflict edit={edit} isSaving={isSaving} />
      </DialogBody>
      <FormDialogFooter text={t('Save')} isBusy={isSaving} onCancel={onClose} />
    </form>
  );
}

type Form = ReturnType<typeof useRuleForm>;

interface ReceiversProps extends Pick<Form, 'fields' | 'write' | 'errorOf'> {
  choices: RuleChoices;
  users: AlertList['Users'];
}

/** People who may edit nothing can notify only themselves. */
function Receivers({ choices, users, fields, write, errorOf }: ReceiversProps) {
  const { CanMail, MayNotifyOthers } = choices;
  const error = errorOf('Receivers');
  if (!MayNotifyOthers) {
    return (
      <div role="group" aria-label={t('How you are notified')} className="rs-field">
        <div className="rs-field-label">{t('How you are notified')}</div>
        <ChannelFields
          receivers={fields.Receivers}
          canMail={CanMail}
          onChange={(changed) => write({ Receivers: { ...fields.Receivers, ...changed } })}
        />
        <FieldError id="rule-receivers" error={error} />
      </div>
    );
  }
  return (
    <>
      <ReceiverFields
        label={t('Who is notified')}
        source={PEOPLE}
        list={{ Users: users, CanMail }}
        receivers={fields.Receivers}
        onChange={(changed) => write({ Receivers: changed })}
        error={error}
      />
      <AlertWebhookFields
        webhooks={fields.Webhooks}
        onChange={(Webhooks) => write({ Webhooks })}
        error={errorOf('Webhooks')}
      />
    </>
  );
}

const SHOWN = 5;

function LastFirings({ firings }: { firings: readonly RuleFiring[] }) {
  return (
    <section className="rs-alert">
      <h3>{t('Last firings')}</h3>
      <ul className="rs-plain-list rs-alert-firings">
        {firings.slice(0, SHOWN).map(({ Id, Time, Name, Message }) => (
          <li key={Id}>
            <DateText value={Time} />
            <span>
              <Link to={`/alerts/firings/${Id}`}>{Name === '' ? said(Message) : `${Name}: ${said(Message)}`}</Link>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
