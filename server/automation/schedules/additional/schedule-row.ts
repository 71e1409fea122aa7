/** Stored schedules other than the daily ones. */
import type { HolidayRule, MissedRule, OverlapRule } from '#shared/contract/additional-schedules.ts';

export interface TimetableRow {
  Id: number;
  /** Exactly one of these two is null. */
  ActivityId: number | null;
  ChecklistId: number | null;
  Name: string;
  UserId: number;
  /** JSON of a RecurrencePlan. */
  PlanText: string;
  /** JSON of TimetableInputs. */
  InputsText: string;
  TimeZone: string;
  CalendarId: number | null;
  HolidayRule: HolidayRule;
  RetryCount: number;
  RetryInterval: number;
  Overlap: OverlapRule;
  Missed: MissedRule;
  MissedMax: number;
  NextTime: Date;
  IsWaiting: boolean;
  PausedTime: Date | null;
  PausedReason: string | null;
}
