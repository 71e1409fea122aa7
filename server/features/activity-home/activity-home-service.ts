/** Assembles the overview page of one activity from other services, with a fixed number of queries. */
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ChecklistsOfActivity } from '#server/features/checklists/checklists-of-activity-service.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import type { HistoryService } from '#server/features/runs/history-service.ts';
import type { SchedulesOf } from '#server/features/schedules/schedules-service.ts';
import type { SharingAccess } from '#server/access/sharing-access.ts';
import type { VersionsService } from '#server/features/versions/versions-service.ts';
import {
  HOME_NEIGHBOURS,
  HOME_RUNS,
  HOME_VERSIONS,
  type ActivityHome,
  type HomeParameter,
} from '#shared/contract/activity-home.ts';
import type { Input, Output } from '#shared/contract/parameters.ts';
import { isSingleNumber } from '#shared/codecs/input-form.ts';
import { canBeScheduled } from '#shared/rules/schedule-rules.ts';

export interface ActivityHomeService {
  /** Throws an AppError 404 if the activity does not exist or the person may not see it. */
  of(person: Person, activityId: number): Promise<ActivityHome>;
}

export interface ActivityHomeDeps {
  database: Database;
  access: ActivityAccess;
  activities: Pick<ActivitiesService, 'newestVersion' | 'inputsFor'>;
  history: Pick<HistoryService, 'recent'>;
  versions: Pick<VersionsService, 'newest'>;
  links: Pick<LinksService, 'around'>;
  checklistsOf: ChecklistsOfActivity;
  schedulesOf: (activityId: number) => Promise<SchedulesOf>;
  sharing: Pick<SharingAccess, 'mayShare'>;
}

export function createActivityHomeService(deps: ActivityHomeDeps): ActivityHomeService {
  const { database, access, activities, history, versions, links, checklistsOf, schedulesOf, sharing } = deps;
  return {
    of: async (person, activityId) => {
      const visible = await access.require(database.knex, person, activityId);
      const { activity, CanEdit, CanRun, CanViewRuns } = visible;
      const version = await activities.newestVersion(activityId);
      if (!version) throw new Error(`activity ${activityId} has no version ${activity.Version}`);
      const [inputs, Runs, newest, around, Checklists, schedules] = await Promise.all([
        activities.inputsFor(person, activity, version),
        history.recent(person, visible, HOME_RUNS),
        versions.newest(activityId, HOME_VERSIONS),
        links.around(person, activityId, HOME_NEIGHBOURS),
        checklistsOf(person, activityId, HOME_NEIGHBOURS),
        CanEdit || CanViewRuns ? schedulesOf(activityId) : null,
      ]);
      const { region } = version.definition;
      const { Id, Name, Description, Type, ProcedureName, Schema, Group, Function, Version, IsActive } = activity;
      return {
        Id,
        Name,
        Description,
        Type,
        Schema,
        Group,
        Function,
        Version,
        ...(region ? { WorkbookRegion: { Id: region.id, Source: region.source } } : {}),
        IsActive,
        CanEdit,
        CanRun,
        CanViewRuns,
        CanShare: await sharing.mayShare(person, visible),
        ProcedureName: CanEdit ? ProcedureName : null,
        Inputs: inputs.map(homeInput),
        Outputs: version.outputs.map(homeOutput),
        Runs,
        Versions: newest.Versions,
        HasMoreVersions: newest.HasMore,
        Schedule: schedules?.Schedule ?? null,
        Further: schedules?.Further ?? null,
        CanSchedule: CanEdit && canBeScheduled(inputs),
        LinksTo: around.to,
        LinksFrom: around.from,
        Checklists,
      };
    },
  };
}

const homeInput = ({ Id, Name, Description, Info, PresetValue }: Input): HomeParameter => ({
  Id,
  Name,
  Description,
  SampleFile: Info.SampleFilePath || null,
  HasPresetValue: PresetValue !== null,
  CanFollow: false,
});

const homeOutput = ({
  Id,
  Name,
  Description,
  Info,
}: Pick<Output, 'Id' | 'Name' | 'Description' | 'Info'>): HomeParameter => ({
  Id,
  Name,
  Description,
  SampleFile: null,
  HasPresetValue: false,
  CanFollow: isSingleNumber(Info),
});
