/** Creates the condition that finds runs with the same value as the clicked one. */
import { hasDay } from '#shared/codecs/date-format.ts';
import { isFileUsage } from '#shared/codecs/input-form.ts';
import type { HistoryValue, ValueCondition } from '#shared/contract/run-history.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';

/** Maximum length of a text that can be searched for as a whole. */
const MAX_TEXT_LENGTH = 100;

/** Returns null if the value cannot be searched for: tables, errors, and texts that are too long. */
export function conditionOf(
  of: Pick<ValueCondition, 'Direction' | 'ActivityParameterId'>,
  info: InputInfo | OutputInfo,
  value: HistoryValue | undefined,
): ValueCondition | null {
  const [usage] = info.CellUsages;
  if (info.RangeType !== 'SingleCell' && !isFileUsage(usage)) return null;
  const found = value?.FileName ?? (value?.Value ? (JSON.parse(value.Value) as unknown) : null);
  if (found === null || found === '') return { ...of, Operator: 'empty' };
  if (typeof found === 'string') return found.length > MAX_TEXT_LENGTH ? null : { ...of, Operator: '=', Value: found };
  if (typeof found === 'boolean') return { ...of, Operator: '=', Value: found };
  if (typeof found !== 'number') return null;
  const isDay = usage === 'Date' && hasDay(info.Formats[0] ?? 'General');
  return isDay
    ? { ...of, Operator: '=', Value: Math.floor(found), Days: true }
    : { ...of, Operator: '=', Value: found };
}

/** Returns the conditions, with this one replacing earlier conditions on the same parameter. */
export function withCondition(values: readonly ValueCondition[], condition: ValueCondition): ValueCondition[] {
  const isSame = (other: ValueCondition): boolean =>
    other.Direction === condition.Direction && other.ActivityParameterId === condition.ActivityParameterId;
  return [...values.filter((other) => !isSame(other)), condition].slice(-10);
}
