/** What schedules and triggers start: activities, and checklists or workflows. */
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { ChecklistsService } from '#server/features/checklists/checklists-service.ts';
import type { WorkflowScheduleStarter } from '#server/automation/schedules/workflow-schedule-starter.ts';
import type {
  SuppliedInput,
  Refusal,
  ScheduleStarter,
  StartedBy,
} from '#server/automation/schedules/scheduled-runs.ts';
import { isFileInput, isFixed, mayUseDefault } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { AdditionalScheduleList } from '#shared/contract/additional-schedules.ts';
import type { OwnerColumn } from './additional-schedules-repository.ts';

export type AskedInputs = Pick<AdditionalScheduleList, 'Inputs' | 'Unfillable'> & {
  /** Names of inputs that take a file. */
  FileInputs: string[];
};

export interface ScheduleOwners {
  column: OwnerColumn;
  /** Throws an AppError if the person may not edit it. */
  requireEdit(person: Person, id: number): Promise<{ Name: string }>;
  /** Returns the inputs that a schedule can supply, and the required ones that it cannot. */
  askedInputs(person: Person, id: number): Promise<AskedInputs>;
  /** Returns why it could not start now with these values; null if it could. */
  refusal(id: number, userId: number, supplied: readonly SuppliedInput[], by?: StartedBy): Promise<Refusal | null>;
}

export function activityOwners(
  { knex }: Pick<Database, 'knex'>,
  access: ActivityAccess,
  activities: Pick<ActivitiesService, 'details'>,
  starter: ScheduleStarter,
): ScheduleOwners {
  return {
    column: 'ActivityId',
    requireEdit: async (person, id) => (await access.requireEdit(knex, person, id)).activity,
    askedInputs: async (person, id) => {
      const { Inputs } = await activities.details(person, id);
      return asked(Inputs.map((input) => ({ Name: input.Name, inputs: [input] })));
    },
    refusal: async (id, userId, supplied, by) => refusalIn(await starter.prepare(id, userId, supplied, by)),
  };
}

export function checklistOwners(
  { knex }: Pick<Database, 'knex'>,
  access: ChecklistAccess,
  checklists: Pick<ChecklistsService, 'details'>,
  starter: WorkflowScheduleStarter,
): ScheduleOwners {
  return {
    column: 'ChecklistId',
    requireEdit: async (person, id) => (await access.requireEdit(knex, person, id)).checklist,
    askedInputs: async (person, id) => {
      const { Inputs } = await checklists.details(person, id);
      return asked(Inputs.map(({ InputName, ActivityInputs }) => ({ Name: InputName, inputs: ActivityInputs })));
    },
    refusal: async (id, userId, supplied, by) => refusalIn(await starter.prepare(id, userId, supplied, by)),
  };
}

const refusalIn = (start: { refused: string | null; isAboutPerson?: true }): Refusal | null =>
  start.refused === null ? null : { ...start, refused: start.refused };

interface AskedInput {
  Name: string;
  /** The activity inputs that take the value. */
  inputs: readonly Input[];
}

function asked(all: readonly AskedInput[]): AskedInputs {
  const result: AskedInputs = { Inputs: [], Unfillable: [], FileInputs: [] };
  for (const { Name, inputs } of all) {
    const open = inputs.filter((input) => !isFixed(input));
    const [first] = open;
    if (!first) continue;
    const IsNeeded = open.some(({ Info }) => !mayUseDefault(Info));
    if (open.every(({ Info }) => isFileInput(Info))) result.FileInputs.push(Name);
    const isCell = open.every(({ Info }) => Info.RangeType === 'SingleCell' && !isFileInput(Info));
    if (isCell) result.Inputs.push({ Name, Kind: kindOf(first), IsNeeded });
    else if (IsNeeded) result.Unfillable.push(Name);
  }
  return result;
}

function kindOf({ Info }: Input): AdditionalScheduleList['Inputs'][number]['Kind'] {
  const [usage] = Info.CellUsages;
  return usage === 'Date' || usage === 'Number' || usage === 'Boolean' ? usage : 'Text';
}
