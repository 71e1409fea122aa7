/** Converts a trigger to its stored form, and checks whether it could start now. */
import { AppError } from '#server/base/app-error.ts';
import {
  planOf,
  triggerInputsOf,
  type StoredTriggerInput,
  type TriggerRow,
} from '#server/automation/triggers/trigger-row.ts';
import type { ScheduleOwners } from '#server/features/additional-schedules/schedule-owners-service.ts';
import type { Refusal } from '#server/automation/schedules/scheduled-runs.ts';
import { readSuppliedInputs } from '#server/automation/triggers/supplied-inputs.ts';
import type { TriggerUpdate } from '#shared/contract/triggers.ts';
import type { OwnerColumn, TriggerColumns } from './triggers-repository.ts';

interface Saved {
  column: OwnerColumn;
  UserId: number;
  inputs: readonly StoredTriggerInput[];
  before: TriggerRow | undefined;
  now: Date;
}

/** Saving a paused trigger resumes it, as the person who saves it. */
export function columnsOf(body: TriggerUpdate, { column, UserId, inputs, before, now }: Saved): TriggerColumns {
  const { OwnerId, Name, Plan, TimeZone, Overlap } = body;
  const PlanText = JSON.stringify(Plan);
  const isEnded = Plan.Kind === 'Ended';
  return {
    ActivityId: column === 'ActivityId' ? OwnerId : null,
    ChecklistId: column === 'ChecklistId' ? OwnerId : null,
    Name: Name.trim(),
    UserId,
    Kind: Plan.Kind,
    PlanText,
    InputsText: JSON.stringify(inputs),
    TimeZone,
    Overlap,
    SourceActivityId: isEnded && Plan.Source === 'Activity' ? Plan.SourceId : null,
    SourceChecklistId: isEnded && Plan.Source === 'Checklist' ? Plan.SourceId : null,
    NextTime: Plan.Kind === 'Query' ? now : null,
    PausedTime: null,
    PausedReason: null,
    LookMessage: null,
    // Events from before the trigger waited for them do not count.
    ...(before?.PlanText === PlanText ? {} : { SinceTime: now, StateText: null }),
  };
}

/** Returns whether an event supplies the missing inputs. */
const comesLater = (row: Pick<TriggerRow, 'PlanText' | 'InputsText'>): boolean => {
  const plan = planOf(row);
  if (plan.Kind === 'File' && plan.FileInput !== null) return true;
  return triggerInputsOf(row).some(({ From }) => From !== null);
};

/** Returns why the trigger could not start now; null if it could, or if that depends on the data of an event. */
export async function startIssue(
  owners: ScheduleOwners,
  row: Pick<TriggerRow, 'ActivityId' | 'ChecklistId' | 'UserId' | 'PlanText' | 'InputsText' | 'TimeZone'>,
  now: Date,
): Promise<Refusal | null> {
  const inputs = readSuppliedInputs(row, { Time: now, GivenText: '[]' });
  if (inputs.refused !== null) return inputs;
  const refusal = await owners.refusal(row[owners.column]!, row.UserId, inputs.supplied, 'trigger');
  return refusal && !refusal.isAboutPerson && comesLater(row) ? null : refusal;
}

export async function requireStartable(
  owners: ScheduleOwners,
  row: Parameters<typeof startIssue>[1],
  now: Date,
): Promise<void> {
  const refusal = await startIssue(owners, row, now);
  if (refusal) throw new AppError('cannotRun', 409, refusal.refused);
}
