/** Conditions on values while they are being edited. */
import { parseNumber } from '#shared/codecs/number-text.ts';
import { readDate } from '#shared/codecs/read-date.ts';
import { serialOfIsoDay } from '#renderer/ui/date/iso-day.ts';
import type { ValueCondition, ValueOperator } from '#shared/contract/run-history.ts';
import { takesValue } from '#shared/rules/value-condition-rules.ts';
import { t } from '#renderer/language/translate.ts';
import { neutralNumber } from '#renderer/language/typed-numbers.ts';
import { OPERATORS, valueText, type SearchedParameter, type ValueKind, type ValueSort } from './history-filter.ts';

export interface ConditionDraft {
  /** Unique within the form. */
  key: number;
  /** As returned by `keyOfParameter`; '' until one is chosen. */
  parameter: string;
  operator: ValueOperator;
  text: string;
  /** The upper bound for 'between'. */
  to: string;
}

export const keyOfParameter = ({ direction, id }: Pick<SearchedParameter, 'direction' | 'id'>): string =>
  `${direction}${id}`;

let lastKey = 0;
const nextKey = (): number => (lastKey += 1);

export const newDraft = (parameter?: SearchedParameter): ConditionDraft => ({
  key: nextKey(),
  parameter: parameter ? keyOfParameter(parameter) : '',
  operator: parameter ? OPERATORS[parameter.kind][0]! : '=',
  text: parameter?.kind === 'boolean' ? 'true' : '',
  to: '',
});

/** Returns the drafts without conditions on parameters that the activity no longer has. */
export function draftsOf(
  values: readonly ValueCondition[],
  parameters: readonly SearchedParameter[],
): ConditionDraft[] {
  return values.flatMap(({ Direction, ActivityParameterId, Operator, Value, To }) => {
    const parameter = parameters.find(({ direction, id }) => direction === Direction && id === ActivityParameterId);
    if (!parameter) return [];
    const texts = { text: valueText(parameter, Value) || newDraft(parameter).text, to: valueText(parameter, To) };
    return [{ key: nextKey(), parameter: keyOfParameter(parameter), operator: Operator, ...texts }];
  });
}

export type ReadDraft = { condition: ValueCondition } | { error: string };

/** Parses a draft; returns null if nothing was entered. */
export function readDraft(draft: ConditionDraft, parameters: readonly SearchedParameter[]): ReadDraft | null {
  const parameter = parameters.find((each) => keyOfParameter(each) === draft.parameter);
  if (!parameter) return null;
  const { direction, id, kind } = parameter;
  const of = { Direction: direction, ActivityParameterId: id, Operator: draft.operator };
  if (!takesValue(draft.operator)) return { condition: of };
  const days = kind === 'date' ? { Days: true } : {};
  const texts = [draft.text, ...(draft.operator === 'between' ? [draft.to] : [])].map((text) => text.trim());
  if (texts.every((text) => text === '')) return null;
  const [Value = null, To] = texts.map((text) => readValue(parameter, text));
  if (Value === null || To === null) return { error: WRONG[kind] };
  if (To === undefined) return { condition: { ...of, Value, ...days } };
  if (typeof To !== 'number' || To < Number(Value)) return { error: t('The second value must not be below the first') };
  return { condition: { ...of, Value, To, ...days } };
}

const WRONG: Record<ValueKind, string> = {
  number: t('Value must be a number'),
  date: t('Value must be a date'),
  time: t('Value must be a time, such as 21:30'),
  text: t('Value must be provided'),
  boolean: t('Value must be provided'),
};

function readValue({ kind, format }: ValueSort, text: string): NonNullable<ValueCondition['Value']> | null {
  if (text === '') return null;
  if (kind === 'number') return parseNumber(neutralNumber(text));
  if (kind === 'boolean') return text === 'true';
  if (kind === 'time') return readDate(text, { format })?.value ?? null;
  return kind === 'text' ? text : serialOfIsoDay(text);
}
