/** Stored triggers and their events. */
import type { OverlapRule } from '#shared/contract/additional-schedules.ts';
import type { TriggerInput, TriggerOutcome, TriggerPlan } from '#shared/contract/triggers.ts';

export interface TriggerRow {
  Id: number;
  /** Exactly one of these two is null. */
  ActivityId: number | null;
  ChecklistId: number | null;
  Name: string;
  UserId: number;
  Kind: TriggerPlan['Kind'];
  /** JSON of a TriggerPlan. */
  PlanText: string;
  /** JSON of StoredTriggerInputs. */
  InputsText: string;
  TimeZone: string;
  Overlap: OverlapRule;
  SourceActivityId: number | null;
  SourceChecklistId: number | null;
  AddressKey: string | null;
  EncryptedSecret: string | null;
  NextTime: Date | null;
  StateText: string | null;
  LookMessage: string | null;
  /** Events before this time do not count. */
  SinceTime: Date;
  Revision: number;
  PausedTime: Date | null;
  PausedReason: string | null;
}

/** Includes the kind that the input had when the trigger was saved; values from outside are parsed by this kind. */
export interface StoredTriggerInput extends TriggerInput {
  Kind: 'Date' | 'Number' | 'Boolean' | 'Text';
}

export interface TriggerEventRow {
  Id: number;
  TriggerId: number;
  Subject: string;
  Time: Date;
  Outcome: TriggerOutcome;
  Message: string;
  /** JSON of the supplied input values. */
  GivenText: string;
  FileName: string | null;
  Sha256: string | null;
  Depth: number;
  ActivityRunId: number | null;
  ChecklistRunId: number | null;
}

/** All other columns have defaults. */
export type NewTriggerEvent = Pick<TriggerEventRow, 'TriggerId' | 'Subject'> & Partial<Omit<TriggerEventRow, 'Id'>>;

export const planOf = <Kind extends TriggerPlan['Kind']>(
  { PlanText }: Pick<TriggerRow, 'PlanText'>,
  _kind?: Kind,
): Extract<TriggerPlan, { Kind: Kind }> => JSON.parse(PlanText) as Extract<TriggerPlan, { Kind: Kind }>;

export const triggerInputsOf = ({ InputsText }: Pick<TriggerRow, 'InputsText'>): StoredTriggerInput[] =>
  JSON.parse(InputsText) as StoredTriggerInput[];
