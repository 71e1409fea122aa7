import type { TimetablesRow } from '#server/db/tables.ts';

/**
 * A stored schedule other than the daily one. Exactly one of ActivityId and ChecklistId is null. PlanText is the JSON
 * of a RecurrencePlan, and InputsText that of an array of ScheduleInput.
 */
export type TimetableRow = TimetablesRow;
