/** Schedules that start checklists and workflows. */
import { Type, type Static } from 'typebox';
import { closed, EditedRevision, get, Id, IdParams, needsOn, post } from './endpoint.ts';
import { Schedule, SCHEDULE_STATE } from './schedules.ts';

const { UserId, Schedule: Plan } = Schedule.properties;

export const ChecklistSchedule = closed({ ChecklistId: Id, UserId, Schedule: Plan, Revision: EditedRevision });
export type ChecklistSchedule = Static<typeof ChecklistSchedule>;

export const ChecklistScheduleDetails = closed({
  ChecklistId: Id,
  ChecklistName: Type.String(),
  ...SCHEDULE_STATE,
});
export type ChecklistScheduleDetails = Static<typeof ChecklistScheduleDetails>;

export const checklistSchedule = get('/api/checklists/schedule/:id', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Get the schedule of a checklist or workflow',
  parts: { params: IdParams, result: ChecklistScheduleDetails },
});

export const updateChecklistSchedule = post('/api/checklists/schedule', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Set the schedule of a checklist or workflow',
  parts: { body: ChecklistSchedule, result: ChecklistScheduleDetails },
});

export const deleteChecklistSchedule = post('/api/checklists/schedule/delete/:id', {
  access: needsOn('sk.EditChecklist'),
  summary: 'Delete the schedule of a checklist or workflow',
  parts: { params: IdParams, result: Type.Null() },
});
