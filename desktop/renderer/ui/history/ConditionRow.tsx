import { Button, HTMLSelect } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { useId } from 'react';
import type { ValueOperator } from '#shared/contract/run-history.ts';
import { takesValue } from '#shared/rules/value-condition-rules.ts';
import { t } from '#renderer/language/translate.ts';
import { DateField } from '#renderer/ui/date/DateField.tsx';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';
import { keyOfParameter, newDraft, type ConditionDraft } from './condition-drafts.ts';
import { OPERATORS, type SearchedParameter, type ValueKind } from './history-filter.ts';

interface ConditionRowProps {
  /** Number of the row, from 1, so that screen readers can distinguish rows. */
  number: number;
  draft: ConditionDraft;
  parameters: readonly SearchedParameter[];
  error: string | null;
  onChange: (draft: ConditionDraft) => void;
  onRemove: () => void;
}

/** Characters of a searched text. */
const VALUE_MAX = 100;

const OPERATOR_TEXT: Record<ValueOperator, string> = {
  '=': t('is'),
  '<>': t('is not'),
  begins: t('begins with'),
  contains: t('contains'),
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  between: t('is between'),
  empty: t('is empty'),
  filled: t('is not empty'),
};

/** One condition: an input or output, an operator and a value. */
export function ConditionRow({ number, draft, parameters, error, onChange, onRemove }: ConditionRowProps) {
  const errorId = useId();
  const parameter = parameters.find((each) => keyOfParameter(each) === draft.parameter);
  const kind = parameter?.kind ?? 'text';
  const choose = (key: string): void => {
    const chosen = parameters.find((each) => keyOfParameter(each) === key);
    const fresh = newDraft(chosen);
    // Preserve the typed text if the new parameter has the same kind.
    onChange(chosen?.kind === kind ? { ...draft, parameter: key } : { ...fresh, key: draft.key });
  };
  const field = (text: string, onText: (text: string) => void, label: string): ValueFieldProps => ({
    kind,
    text,
    onText,
    described: {
      'aria-label': `${label} ${number}`,
      'aria-invalid': error !== null,
      'aria-describedby': error === null ? undefined : errorId,
    },
  });
  return (
    <fieldset className="rs-history-condition">
      <legend className="rs-visually-hidden">{t('Search condition {number}', { number })}</legend>
      <HTMLSelect
        aria-label={t('Input or output {number}', { number })}
        value={draft.parameter}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <Options title={t('Inputs')} of={parameters.filter(({ direction }) => direction === 'input')} />
        <Options title={t('Outputs')} of={parameters.filter(({ direction }) => direction === 'output')} />
      </HTMLSelect>
      <HTMLSelect
        aria-label={t('Comparison {number}', { number })}
        value={draft.operator}
        onChange={(event) => onChange({ ...draft, operator: event.currentTarget.value as ValueOperator })}
        options={OPERATORS[kind].map((each) => ({ value: each, label: OPERATOR_TEXT[each] }))}
      />
      {takesValue(draft.operator) && (
        <ValueField {...field(draft.text, (text) => onChange({ ...draft, text }), t('Value'))} />
      )}
      {draft.operator === 'between' && (
        <>
          <span>{t('and')}</span>
          <ValueField {...field(draft.to, (to) => onChange({ ...draft, to }), t('Second value'))} />
        </>
      )}
      <Button
        variant="minimal"
        icon={<Cross />}
        aria-label={t('Remove value {number}', { number })}
        onClick={onRemove}
      />
      {error !== null && (
        <span className="rs-field-error" id={errorId}>
          {error}
        </span>
      )}
    </fieldset>
  );
}

interface ValueFieldProps {
  kind: ValueKind;
  text: string;
  onText: (text: string) => void;
  /** Attributes for screen readers. */
  described: { 'aria-label': string; 'aria-invalid': boolean; 'aria-describedby': string | undefined };
}

function ValueField({ kind, text, onText, described }: ValueFieldProps) {
  if (kind === 'boolean') {
    return (
      <HTMLSelect
        {...described}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        options={[
          { value: 'true', label: t('TRUE') },
          { value: 'false', label: t('FALSE') },
        ]}
      />
    );
  }
  if (kind === 'date') {
    return (
      <DateField {...described} intent={described['aria-invalid'] ? 'danger' : 'none'} value={text} onChange={onText} />
    );
  }
  return (
    <LimitedInput
      {...described}
      intent={described['aria-invalid'] ? 'danger' : 'none'}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      maxLength={VALUE_MAX}
      value={text}
      onValueChange={onText}
    />
  );
}

function Options({ title, of }: { title: string; of: SearchedParameter[] }) {
  if (of.length === 0) return null;
  return (
    <optgroup label={title}>
      {of.map((parameter) => (
        <option key={keyOfParameter(parameter)} value={keyOfParameter(parameter)}>
          {parameter.name}
        </option>
      ))}
    </optgroup>
  );
}
