/** Checks the value comparisons of a history search. */
import type { ValueCondition } from '#shared/contract/run-history.ts';

type Comparison = Pick<ValueCondition, 'Operator' | 'Value' | 'To' | 'Days'>;

/** Returns whether the comparison is valid: each operator accepts only certain kinds of values. */
export function canCompare({ Operator, Value, To, Days }: Comparison): boolean {
  if (Days && typeof Value !== 'number') return false;
  if (Operator === 'between') return typeof Value === 'number' && To !== undefined && Value <= To;
  if (To !== undefined) return false;
  if (!takesValue(Operator)) return Value === undefined;
  if (Operator === '=' || Operator === '<>') return Value !== undefined;
  return typeof Value === (Operator === 'begins' || Operator === 'contains' ? 'string' : 'number');
}

export const takesValue = (operator: Comparison['Operator']): boolean => operator !== 'empty' && operator !== 'filled';
