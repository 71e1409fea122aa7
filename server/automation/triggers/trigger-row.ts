/** Stored triggers and their events. */
import type { TriggerEventsRow, TriggersRow } from '#server/db/tables.ts';
import type { TriggerInput, TriggerPlan } from '#shared/contract/triggers.ts';

/**
 * Exactly one of ActivityId and ChecklistId is null. PlanText is the JSON of a TriggerPlan, and InputsText that of an
 * array of StoredTriggerInput. Events before SinceTime do not count.
 */
export type TriggerRow = TriggersRow;

/** Includes the kind that the input had when the trigger was saved; values from outside are parsed by this kind. */
export interface StoredTriggerInput extends TriggerInput {
  Kind: 'Date' | 'Number' | 'Boolean' | 'Text';
}

/** GivenText is the JSON of the supplied input values. */
export type TriggerEventRow = TriggerEventsRow;

/** All other columns have defaults. */
export type NewTriggerEvent = Pick<TriggerEventRow, 'TriggerId' | 'Subject'> & Partial<Omit<TriggerEventRow, 'Id'>>;

export const planOf = <Kind extends TriggerPlan['Kind']>(
  { PlanText }: Pick<TriggerRow, 'PlanText'>,
  _kind?: Kind,
): Extract<TriggerPlan, { Kind: Kind }> => JSON.parse(PlanText) as Extract<TriggerPlan, { Kind: Kind }>;

export const triggerInputsOf = ({ InputsText }: Pick<TriggerRow, 'InputsText'>): StoredTriggerInput[] =>
  JSON.parse(InputsText) as StoredTriggerInput[];
