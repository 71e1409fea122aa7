/** Conditions on values while they are typed. */
import { parseNumber } from '#shared/codecs/number-text.ts';
import { toSerial } from '#shared/codecs/serial-date.ts';
import type { ValueCondition, ValueOperator } from '#shared/contract/runs.ts';
import { OPERATORS, valueText, type SearchedParameter } from './history-filter.ts';

export interface ConditionDraft {
  /** Tells the rows of the form apart. */
  key: number;
  /** As `keyOfParameter` names it; '' until one is chosen. */
  parameter: string;
  operator: ValueOperator;
  text: string;
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
});

/** Those of inputs and outputs that the activity no longer has are left out. */
export function draftsOf(
  values: readonly ValueCondition[],
  parameters: readonly SearchedParameter[],
): ConditionDraft[] {
  return values.flatMap(({ Direction, ActivityParameterId, Operator, Value }) => {
    const parameter = parameters.find(({ direction, id }) => direction === Direction && id === ActivityParameterId);
    if (!parameter) return [];
    const text = valueText(parameter.kind, Value);
    return [{ key: nextKey(), parameter: keyOfParameter(parameter), operator: Operator, text }];
  });
}

export type ReadDraft = { condition: ValueCondition } | { error: string };

/** What a draft says; null for one that nothing was typed into. */
export function readDraft(draft: ConditionDraft, parameters: readonly SearchedParameter[]): ReadDraft | null {
  const parameter = parameters.find((each) => keyOfParameter(each) === draft.parameter);
  const text = draft.text.trim();
  if (!parameter || text === '') return null;
  const Value = readValue(parameter.kind, text);
  if (Value === null) return { error: parameter.kind === 'date' ? 'Value must be a date' : 'Value must be a number' };
  const { direction, id } = parameter;
  return { condition: { Direction: direction, ActivityParameterId: id, Operator: draft.operator, Value } };
}

function readValue(kind: SearchedParameter['kind'], text: string): ValueCondition['Value'] | null {
  if (kind === 'number') return parseNumber(text);
  if (kind === 'boolean') return text === 'true';
  if (kind === 'text') return text;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return year === undefined ? null : toSerial({ year: Number(year), month: Number(month), day: Number(day) });
}
