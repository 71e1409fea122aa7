import { HTMLSelect } from '@blueprintjs/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { ruleMatches, SCOPE_VALUE_MAX } from '#shared/contract/alert-rules.ts';
import { RULE_SCOPES, type RuleScope } from '#shared/contract/alert-rule-scopes.ts';
import { needsScopeValue } from '#shared/rules/alert-rules.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { SCOPE_TEXTS, type RuleChoices, type RuleFields } from './rule-fields.ts';

interface ScopeFieldsProps {
  fields: Pick<RuleFields, 'Scope' | 'ScopeValue'>;
  choices: RuleChoices;
  write: (changed: Partial<RuleFields>) => void;
  error: string | null;
}

/** What a rule covers, with the number of activities and workflows that this is now. */
export function ScopeFields({ fields: { Scope, ScopeValue }, choices, write, error }: ScopeFieldsProps) {
  const schemas = choices.Schemas.map(({ Name, DisplayName }) => ({ value: Name, label: DisplayName || Name }));
  const groups = choices.Groups.map((value) => ({ value, label: value }));
  const options = withStored(Scope === 'Schema' ? schemas : groups, ScopeValue);
  return (
    <>
      <FormField label={t('Covers')}>
        {({ id }) => (
          <HTMLSelect
            id={id}
            value={Scope}
            options={RULE_SCOPES.map((value) => ({ value, label: SCOPE_TEXTS[value] }))}
            onChange={({ currentTarget: { value } }) =>
              write({ Scope: RULE_SCOPES.find((scope) => scope === value) ?? 'All', ScopeValue: '' })
            }
          />
        )}
      </FormField>
      {(Scope === 'Schema' || Scope === 'Group') && (
        <FormField label={Scope === 'Schema' ? t('Schema') : t('Group')} required error={error}>
          {({ intent: _intent, ...field }) => (
            <HTMLSelect
              {...field}
              value={ScopeValue}
              options={[{ value: '', label: t('Choose') }, ...options]}
              onChange={({ currentTarget }) => write({ ScopeValue: currentTarget.value })}
            />
          )}
        </FormField>
      )}
      {Scope === 'Pattern' && (
        <TextField
          label={t('Pattern')}
          required
          maxLength={SCOPE_VALUE_MAX}
          value={ScopeValue}
          onChange={(value) => write({ ScopeValue: value })}
          helper={t('* stands for any text, ? for one character: Month * close')}
          error={error}
        />
      )}
      <Matches scope={Scope} value={ScopeValue} />
    </>
  );
}

/** Also offers the stored value if the person no longer sees anything in it. */
const withStored = (options: { value: string; label: string }[], stored: string) =>
  stored === '' || options.some(({ value }) => value === stored)
    ? options
    : [...options, { value: stored, label: stored }];

function Matches({ scope, value }: { scope: RuleScope; value: string }) {
  const ScopeValue = useDeferredValue(value.trim());
  const isComplete = !needsScopeValue(scope) || ScopeValue !== '';
  const query = useQuery({
    queryKey: [ruleMatches.path, scope, ScopeValue],
    queryFn: ({ signal }) => call(ruleMatches, { body: { Scope: scope, ScopeValue }, signal }),
    placeholderData: keepPreviousData,
    enabled: isComplete && ScopeValue.length <= SCOPE_VALUE_MAX,
  });
  const { data } = query;
  return (
    <p className="rs-muted rs-alert-matches" role="status">
      {isComplete && data ? matchText(data) : ' '}
    </p>
  );
}

function matchText({ Activities, Workflows, Examples }: { Activities: number; Workflows: number; Examples: string[] }) {
  if (Activities + Workflows === 0) return t('Currently matches nothing that you can see.');
  const values = { activities: Activities, workflows: Workflows, names: Examples.join(', ') };
  return Activities + Workflows > Examples.length
    ? t(
        'Currently {activities, plural, one {# activity} other {# activities}} and {workflows, plural, one {# workflow} other {# workflows}}: {names}…',
        values,
      )
    : t(
        'Currently {activities, plural, one {# activity} other {# activities}} and {workflows, plural, one {# workflow} other {# workflows}}: {names}',
        values,
      );
}
