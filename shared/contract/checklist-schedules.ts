/** When a checklist or workflow runs by itself. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, needsOn, nullable, post, Timestamp } from './endpoint.ts';
import { Schedule } from './schedules.ts';

const { UserId, Schedule: Plan } = Schedule.properties;

export const ChecklistSchedule = closed({ ChecklistId: Id, UserId, Schedule: Plan });
export type ChecklistSchedule = Static<typeof ChecklistSchedule>;

export const ChecklistScheduleDetails = closed({
  ChecklistId: Id,
  ChecklistName: Type.String(),
  /** As whom it runs; null where no schedule is set. */
  UserId: nullable(Type.Integer()),
  UserFullName: nullable(Type.String()),
  /** JSON of a SchedulePlan. */
  Schedule: nullable(Type.String()),
  /** Null where it is paused, too. */
  NextTime: nullable(Timestamp),
  PausedTime: nullable(Timestamp),
  /** The time zone of TimeOfDay, such as Europe/Berlin. */
  TimeZone: Type.String(),
  /** Whether it needs nothing from a person to run: only then it can be scheduled. */
  CanSchedule: Type.Boolean(),
});
export type ChecklistScheduleDetails = Static<typeof ChecklistScheduleDetails>;

export const checklistSchedule = get('/api/checklists/schedule/:id', {
  access: needsOn('sk.EditChecklist'),
  summary: 'The schedule of a checklist or workflow',
  parts: { params: IdParams, result: ChecklistScheduleDetails },
});

export const updateChecklistSchedule = post('/api/checklists/schedule', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Set the schedule of a checklist or workflow',
  parts: { body: ChecklistSchedule, result: ChecklistScheduleDetails },
});

export const deleteChecklistSchedule = post('/api/checklists/schedule/delete/:id', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Take the schedule from a checklist or workflow',
  parts: { params: IdParams, result: Type.Null() },
});
