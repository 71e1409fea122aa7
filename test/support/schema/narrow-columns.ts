/** Columns that hold fewer values than their type in the database allows. */

export interface ColumnType {
  /** Without null, which the column's definition decides. */
  type: string;
  /** The module that exports the type; none for a type written out here. */
  from?: string;
}

const contract = (type: string, file: string): ColumnType => ({ type, from: `#shared/contract/${file}.ts` });
const workflowRule = (type: string): ColumnType => ({ type, from: '#shared/rules/workflows/types.ts' });

const runStatus = contract('RunStatus', 'run-status');
const overlapRule = contract('OverlapRule', 'additional-schedules');

/** By table and column. The server writes only these values. */
export const NARROW_COLUMNS: Readonly<Record<string, ColumnType>> = {
  'Activities.Priority': contract('Priority', 'queueing'),
  'Activities.Type': contract('ActivityType', 'activities'),
  'ActivityParameters.Direction': { type: "'input' | 'output'" },
  'ActivityRuns.NotRunBecause': workflowRule('NotRunReason'),
  'ActivityRuns.Status': runStatus,
  'Alerts.Kind': contract('AlertKind', 'alerts'),
  'Alerts.Scope': contract('AlertScope', 'alert-rule-scopes'),
  'ApiKeys.Scope': contract('KeyScope', 'users'),
  'ApprovalMails.Kind': { type: "'Begun' | 'Reminder' | 'Ended'" },
  'Approvals.OnExpiry': { type: "'Fail' | 'Approve'" },
  'Approvals.Status': contract('ApprovalOutcome', 'approvals'),
  'AssistantCodes.Scope': contract('AssistantScope', 'assistants'),
  'AssistantGrants.Scope': contract('AssistantScope', 'assistants'),
  'ChecklistRunSteps.Kind': workflowRule('StepKind'),
  'ChecklistRunSteps.NotRunBecause': workflowRule('NotRunReason'),
  'ChecklistRunSteps.Status': runStatus,
  'ChecklistRuns.Status': runStatus,
  'Deliveries.Channel': { type: "'Webhook' | 'Teams' | 'Slack' | 'Mail'" },
  'Deliveries.Status': contract('DeliveryStatus', 'webhooks'),
  'Grants.GranteeKind': { type: "'user' | 'role' | 'internet'" },
  'RunPrompts.Type': { type: "'Text' | 'Masked'" },
  'SecurityActions.Action': contract('SecurityActionType', 'security'),
  'StoredFiles.Purpose': { type: "'upload' | 'version' | 'output' | 'download' | 'design'" },
  'TimetableSlots.Outcome': contract('OccurrenceOutcome', 'additional-schedules'),
  'Timetables.HolidayRule': contract('HolidayRule', 'additional-schedules'),
  'Timetables.Missed': contract('MissedRule', 'additional-schedules'),
  'Timetables.Overlap': overlapRule,
  'TriggerEvents.Outcome': contract('TriggerOutcome', 'triggers'),
  'Triggers.Kind': { type: "TriggerPlan['Kind']", from: '#shared/contract/triggers.ts' },
  'Triggers.Overlap': overlapRule,
  'Users.Language': contract('Language', 'auth'),
  'Users.Region': contract('RegionId', 'auth'),
  'Users.Source': { type: "'Local' | 'AD' | 'SSO'" },
};
