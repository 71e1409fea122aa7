/** Everything worth knowing about one activity at a glance. Parts that the user has no right to see are omitted. */
import { Type, type Static } from 'typebox';
import { ActivityType } from './activities.ts';
import { closed, get, Id, IdParams, needsOn, nullable } from './endpoint.ts';
import { HistoryRun } from './run-history.ts';
import { AdditionalSchedules, ScheduleDetails } from './schedules.ts';
import { VersionItem } from './versions.ts';
import { WorkbookRegion } from './workbook-region.ts';

/** Number of runs that the home page of an activity plots, and number of versions that it lists. */
export const HOME_RUNS = 50;
export const HOME_VERSIONS = 5;
/** Maximum number of links per direction, and of checklists and workflows. */
export const HOME_NEIGHBOURS = 100;

/** A link as seen from one of its activities: names the activity at the other end. */
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
  /** For an input: name of its sample file to fill in. Null if there is none. */
  SampleFile: nullable(Type.String()),
  /** True if the input has a preset value. Run forms no longer ask for it then. */
  HasPresetValue: Type.Boolean(),
  /** True for an output that is a single number: its values can be plotted over runs. */
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
  /** Only for procedure activities, and only for users who may edit the activity. */
  ProcedureName: nullable(Type.String()),
  Schema: Type.String(),
  Group: Type.String(),
  Function: Type.String(),
  Version: Type.Integer(),
  /** Region of its workbook. Absent for procedures, and if the version recorded no region. */
  WorkbookRegion: Type.Optional(WorkbookRegion),
  IsActive: Type.Boolean(),
  CanEdit: Type.Boolean(),
  CanRun: Type.Boolean(),
  /** True if Runs contains the runs of all users; false if it contains only the user's own. */
  CanViewRuns: Type.Boolean(),
  /** True if the user may give others access. */
  CanShare: Type.Boolean(),
  Inputs: Type.Array(HomeParameter),
  Outputs: Type.Array(HomeParameter),
  /** Newest first. */
  Runs: Type.Array(HomeRun),
  /** Newest first. */
  Versions: Type.Array(VersionItem),
  HasMoreVersions: Type.Boolean(),
  /** Only for users who may edit the activity or see the runs of others; null if no schedule is set. */
  Schedule: nullable(
    Type.Pick(ScheduleDetails, ['Schedule', 'NextTime', 'PausedTime', 'TimeZone', 'UserFullName'], {
      additionalProperties: false,
    }),
  ),
  /** Visible to the same users as Schedule; null for all others. */
  Further: nullable(AdditionalSchedules),
  /** True if a run needs no input from a person, which is the precondition for scheduling the activity. */
  CanSchedule: Type.Boolean(),
  /**
   * Links that pass on its outputs, and links that fill its inputs. Both list only activities that the user may see.
   */
  LinksTo: Type.Array(LinkedNeighbour),
  LinksFrom: Type.Array(LinkedNeighbour),
  /** Checklists and workflows that use the activity and that the user may see. */
  Checklists: Type.Array(ChecklistOfActivity),
});
export type ActivityHome = Static<typeof ActivityHome>;

export const activityHome = get('/api/activities/home/:id', {
  access: needsOn('sk.RunActivity'),
  summary: 'Get an overview of an activity: its last runs, versions, schedule, linkages, checklists and workflows',
  parts: { params: IdParams, result: ActivityHome },
});
