/** Converts triggers to the shape of the contract. */
import { fullName } from '#server/base/full-name.ts';
import { planOf, triggerInputsOf, type TriggerEventRow } from '#server/automation/triggers/trigger-row.ts';
import { STATUS_TEXT } from '#shared/contract/run-status.ts';
import { inboundCall, type Trigger, type TriggerFiring, type TriggerPlan } from '#shared/contract/triggers.ts';
import type { OwnerColumn, StoredTrigger } from './triggers-repository.ts';

export function firingView(row: TriggerEventRow): TriggerFiring {
  const { Id, Time, Outcome, Message, FileName, ActivityRunId, ChecklistRunId } = row;
  const RunId = ActivityRunId ?? ChecklistRunId;
  return { Id, Time: Time.toISOString(), Outcome, Message, FileName, RunId };
}

function triggerText(plan: TriggerPlan, sourceName: string | null): string {
  switch (plan.Kind) {
    case 'File':
      return `A file matching ${plan.Pattern} arrives in the folder ${plan.Folder}`;
    case 'Ended':
      return `${sourceName ?? '?'} ends as ${plan.Outcomes.map((status) => STATUS_TEXT[status]).join(', ')}`;
    case 'Webhook':
      return 'A program calls';
    case 'Query': {
      const often = plan.Minutes === 1 ? 'every minute' : `every ${plan.Minutes} minutes`;
      const what = plan.When === 'BecomesTrue' ? 'becomes true' : 'returns a row with a new key';
      return `A query on ${plan.Connection}, run ${often}, ${what}`;
    }
  }
}

interface TriggerFacts {
  events: readonly TriggerEventRow[];
  /** Id of the run that its events wait for. */
  blockingRunId: number | null;
  Revision: number;
}

export function triggerView(
  row: StoredTrigger,
  column: OwnerColumn,
  { events, blockingRunId, Revision }: TriggerFacts,
): Trigger {
  const { Id, Name, TimeZone, Overlap, UserId, AddressKey, PausedTime, PausedReason, LookMessage, SourceName } = row;
  const Plan = planOf(row);
  return {
    Id,
    OwnerId: row[column]!,
    Name,
    Plan,
    Inputs: triggerInputsOf(row).map(({ Kind: _kind, ...input }) => input),
    TimeZone,
    Overlap,
    Revision,
    Text: triggerText(Plan, SourceName),
    UserId,
    UserFullName: fullName(row),
    Address: AddressKey === null ? null : inboundCall.path.replace(':key', AddressKey),
    PausedTime: PausedTime?.toISOString() ?? null,
    PausedReason,
    LookMessage,
    WaitsFor: blockingRunId,
    Firings: events.map(firingView),
  };
}
