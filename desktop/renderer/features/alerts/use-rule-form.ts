import { useMemo, useState, type FormEvent } from 'react';
import {
  allAlerts,
  alertRule,
  saveAlertRule,
  type AlertRule,
  type AlertRuleDraft,
} from '#shared/contract/alert-rules.ts';
import { call } from '#renderer/api/client.ts';
import { createSender } from '#renderer/api/create-sender.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { headlineOf, useSaving } from '#renderer/ui/query/use-saving.ts';
import { ALERT_FIELDS, channelsToSave } from './alert-fields.ts';
import {
  fieldsOfRule,
  newRuleFields,
  readRuleFields,
  type RuleChoices,
  type RuleFields,
  type RuleIssues,
} from './rule-fields.ts';

interface RuleFormOptions {
  choices: RuleChoices;
  /** Null for a new rule. */
  rule: AlertRule | null;
  onClose: () => void;
}

type RuleField = keyof RuleIssues;
const RULE_FIELDS: readonly RuleField[] = [...ALERT_FIELDS, 'ScopeValue'];

/** A repeated save of a new rule does not create it again. */
const createRule = () =>
  createSender<AlertRuleDraft, { Id: number }>({
    create: (body, headers) => call(saveAlertRule, { body, headers }),
    change: ({ Id }, draft) => call(saveAlertRule, { body: { ...draft, Id } }),
  });

const openedOf = (rule: AlertRule | null, choices: RuleChoices) =>
  rule
    ? { fields: fieldsOfRule(rule, choices), revision: rule.Revision }
    : { fields: newRuleFields(choices), revision: null };

/** State of the rule form: the typed values, their problems after submitting, and the save progress. */
export function useRuleForm({ choices, rule, onClose }: RuleFormOptions) {
  const opened = useMemo(() => openedOf(rule, choices), [rule, choices]);
  const edit = useEdited(opened, async () =>
    openedOf(rule && (await call(alertRule, { params: { id: rule.Id } })).Rule, choices),
  );
  const { setFields } = edit;
  const stored = edit.isShowingTheirs ? edit.fields : edit.draft.opened.fields;
  const fields = { ...edit.fields, Webhooks: channelsToSave(edit.fields.Webhooks, stored.Webhooks) };
  const [attempt, setAttempt] = useState(0);
  const [create] = useState(createRule);
  const saving = useSaving();
  const read = readRuleFields(fields, rule?.Id ?? null, choices.CanMail);
  const own: RuleIssues = attempt > 0 && 'issues' in read ? read.issues : {};
  const refused = Object.entries(saving.modelState).map(([field, [message = '']]) => ({ field, message }));
  const errorOf = (field: RuleField): string | null =>
    own[field] ?? refused.find((one) => one.field === field)?.message ?? null;
  const elsewhere = refused.filter(({ field }) => !RULE_FIELDS.some((one) => one === field));
  const write = (changed: Partial<RuleFields>): void => {
    setFields((before) => ({ ...before, ...changed }));
    // What the rule covers decides whom it may notify.
    saving.forget('Scope' in changed ? Object.keys(saving.modelState) : Object.keys(changed));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (!('draft' in read)) return;
    const { draft } = read;
    void saving.run(t('Alert rule saved'), async () => {
      await edit.save(async (Revision) => {
        await (rule ? call(saveAlertRule, { body: { ...draft, Revision } }) : create(draft));
      });
      const lists = [allAlerts, alertRule];
      await Promise.all(lists.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })));
      onClose();
    });
  };
  const isShown = RULE_FIELDS.some((field) => errorOf(field) !== null) || elsewhere.length > 0;
  const summary = {
    title: headlineOf(saving) ?? (isShown ? t('Please correct the errors shown.') : null),
    issues: elsewhere.map(({ message }) => ({ message })),
    attempt,
  };
  return { fields, write, errorOf, summary, submit, edit, isSaving: saving.isSaving };
}
