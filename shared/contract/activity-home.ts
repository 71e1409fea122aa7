/** All that is worth knowing of one activity at a glance. What the person has no right to see is left out. */
import { Type, type Static } from 'typebox';
import { ActivityType } from './activities.ts';
import { closed, get, Id, IdParams, needsOn, nullable } from './endpoint.ts';
import { HistoryRun } from './run-history.ts';
import { FurtherSchedules, ScheduleDetails } from './schedules.ts';
import { VersionItem } from './versions.ts';
import { WorkbookRegion } from './workbook-region.ts';

/** Runs that the home of an activity plots, and versions that it lists. */
export const HOME_RUNS = 50;
export const HOME_VERSIONS = 5;
/** Most linkages of each direction, and most checklists and workflows. */
export const HOME_NEIGHBOURS = 100;

/** A linkage, told from the activity at its one end: the other end is named. */
export const LinkedNeighbour = closed({
  Id,
  Name: Type.String(),
  ActivityId: Id,
  ActivityName: Type.String(),
  CanRun: Type.Boolean(),
});
export type LinkedNeighbour = Static<typeof LinkedNeighbour>;

export const ChecklistOfActivity = closed({
  Id,
  Name: Type.String(),
  IsWorkflow: Type.Boolean(),
  CanRun: Type.Boolean(),
  CanEdit: Type.Boolean(),
});
export type ChecklistOfActivity = Static<typeof ChecklistOfActivity>;

const HomeParameter = closed({
  Id,
  Name: Type.String(),
  Description: Type.String(),
  /** Of an input, the name of a file to fill in; null where there is none. */
  SampleFile: nullable(Type.String()),
  /** Asked of nobody any more. */
  HasPresetValue: Type.Boolean(),
  /** An output that is a number, and so a course over runs. */
  CanFollow: Type.Boolean(),
});
export type HomeParameter = Static<typeof HomeParameter>;

/** A run without its values. */
export const HomeRun = Type.Pick(
  HistoryRun,
  ['Id', 'QueueTime', 'StartTime', 'EndTime', 'Status', 'UserFullName', 'ActivityVersion'],
  { additionalProperties: false },
);
export type HomeRun = Static<typeof HomeRun>;

export const ActivityHome = closed({
  Id,
  Name: Type.String(),
  Description: Type.String(),
  Type: ActivityType,
  /** Of a stored procedure, for those who may edit it. */
  ProcedureName: nullable(Type.String()),
  Schema: Type.String(),
  Group: Type.String(),
  Function: Type.String(),
  Version: Type.Integer(),
  /** Of its workbook; absent for a procedure, and where the version does not know it. */
  WorkbookRegion: Type.Optional(WorkbookRegion),
  IsActive: Type.Boolean(),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  /** Whether the runs are those of everybody; else only the person's own. */
  CanViewRuns: Type.Boolean(),
  Inputs: Type.Array(HomeParameter),
  Outputs: Type.Array(HomeParameter),
  /** Newest first. */
  Runs: Type.Array(HomeRun),
  /** Newest first. */
  Versions: Type.Array(VersionItem),
  HasMoreVersions: Type.Boolean(),
  /** For those who may edit it or see the runs of others; null where none is set. */
  Schedule: nullable(
    Type.Pick(ScheduleDetails, ['Schedule', 'NextTime', 'PausedTime', 'TimeZone', 'UserFullName'], {
      additionalProperties: false,
    }),
  ),
  /** For the same people; null for others. */
  Further: nullable(FurtherSchedules),
  /** Whether it needs nothing from a person to run, so that who may edit it may schedule it. */
  CanSchedule: Type.Boolean(),
  /** Where its outputs go, and where its inputs come from: activities that the person may see. */
  LinksTo: Type.Array(LinkedNeighbour),
  LinksFrom: Type.Array(LinkedNeighbour),
  /** That use it, and that the person may see. */
  Checklists: Type.Array(ChecklistOfActivity),
});
export type ActivityHome = Static<typeof ActivityHome>;

export const activityHome = get('/api/activities/home/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'One activity at a glance: its last runs, versions, schedule, linkages, checklists and workflows',
  parts: { params: IdParams, result: ActivityHome },
});
