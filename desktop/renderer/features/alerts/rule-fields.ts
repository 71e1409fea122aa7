/** Converts between the form of an alert rule and the rule. */
import { needsScopeValue } from '#shared/rules/alert-rules.ts';
import type { AlertRule, AlertRuleDraft, ruleChoices } from '#shared/contract/alert-rules.ts';
import type { RuleScope } from '#shared/contract/alert-rule-scopes.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import { t } from '#renderer/language/translate.ts';
import { fieldsOf, newFields, readFields, type AlertFields, type AlertIssues } from './alert-fields.ts';

export type RuleChoices = ResultOf<typeof ruleChoices>;

export const SCOPE_TEXTS: Record<RuleScope, string> = {
  All: t('All activities and workflows'),
  Schema: t('A schema'),
  Group: t('A group'),
  Pattern: t('Names that match a pattern'),
  Mine: t('What I own'),
  Workflows: t('All checklists and workflows'),
};

export interface RuleFields extends AlertFields {
  Scope: RuleScope;
  ScopeValue: string;
}

export type RuleIssues = AlertIssues & { ScopeValue?: string };

const listOf = ({ CanMail }: RuleChoices) => ({ TimeZone: '', CanMail });

export function newRuleFields(choices: RuleChoices): RuleFields {
  const fields = newFields(listOf(choices));
  const Receivers = { ...fields.Receivers, UserIds: [choices.Self.UserId] };
  return { ...fields, Receivers, Scope: 'All', ScopeValue: '' };
}

export function fieldsOfRule(rule: AlertRule, choices: RuleChoices): RuleFields {
  const { Scope, ScopeValue, Receivers } = rule;
  const alert = { ...rule, NextReceivers: Receivers, EscalateMinutes: null, Firings: [] };
  return { ...fieldsOf(alert, listOf(choices)), Scope, ScopeValue };
}

/** Returns the rule, or the problems that prevent saving it. */
export function readRuleFields(
  fields: RuleFields,
  Id: number | null,
  canMail: boolean,
): { draft: AlertRuleDraft } | { issues: RuleIssues } {
  const read = readFields(fields, Id, canMail);
  const value = fields.ScopeValue.trim();
  const isMissing = needsScopeValue(fields.Scope) && value === '';
  const missing = fields.Scope === 'Pattern' ? t('Enter a pattern') : t('Choose what the rule covers');
  if ('issues' in read || isMissing) {
    const issues = 'issues' in read ? read.issues : {};
    return { issues: isMissing ? { ...issues, ScopeValue: missing } : issues };
  }
  const { Name, IsActive, Condition, Receivers, Webhooks } = read.draft;
  if (Condition.Kind !== 'Outcome' && Condition.Kind !== 'Long') return { issues: {} };
  const { Scope } = fields;
  const ScopeValue = needsScopeValue(Scope) ? value : '';
  return { draft: { Id, Name, IsActive, Condition, Receivers, Webhooks, Scope, ScopeValue } };
}

/** Says in words what a rule covers. */
export function scopeText(scope: RuleScope, value: string): string {
  if (scope === 'Schema') return t('Schema {name}', { name: value });
  if (scope === 'Group') return t('Group {name}', { name: value });
  return scope === 'Pattern' ? t('Names like {pattern}', { pattern: value }) : SCOPE_TEXTS[scope];
}
