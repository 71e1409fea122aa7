/** Checks whether the person that a schedule runs as may still run the activity, and with which inputs. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { UserRow, UsersService } from '#server/features/users/users-service.ts';
import { fullName } from '#server/base/full-name.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import type {
  SuppliedInput,
  SuppliedInputs,
  ScheduledStart,
  ScheduleStarter,
} from '#server/automation/schedules/scheduled-runs.ts';
import type { Person } from '#server/base/person.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { isUnconfigured, UNCONFIGURED } from '#shared/rules/input-rules.ts';
import { canBeScheduled } from '#shared/rules/schedule-rules.ts';

export interface ScheduleStarterDeps {
  database: Database;
  users: UsersService;
  access: ActivityAccess;
  activities: ActivitiesService;
  versions: VersionCatalog;
  starts: Pick<StartService, 'check'>;
}

const refuse = (refused: string): ScheduledStart => ({ refused });
const refusePerson = (refused: string): ScheduledStart => ({ refused, isAboutPerson: true });

export function createScheduleStarter(deps: ScheduleStarterDeps): ScheduleStarter {
  return {
    prepare: async (activityId, userId, supplied, by = 'schedule') => {
      const user = await deps.users.findById(userId);
      if (!user) return refusePerson(`The user that the ${by} runs as no longer exists`);
      const name = fullName(user);
      if (!user.Enabled) return refusePerson(`The user that the ${by} runs as, ${name}, is disabled`);
      try {
        return await prepareAs(deps, personOf(user), activityId, supplied);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.status === 404)
          return refusePerson(`The user that the ${by} runs as, ${name}, may not run the activity`);
        return refuse(refusalText(error));
      }
    },
  };
}

async function prepareAs(
  deps: ScheduleStarterDeps,
  person: Person,
  activityId: number,
  supplied: SuppliedInputs,
): Promise<ScheduledStart> {
  const { access, activities, versions } = deps;
  const { activity, CanRun } = await access.require(deps.database.knex, person, activityId);
  if (!activity.IsActive) return refuse('The activity is not active');
  if (!CanRun) throw new AppError('mayNotRun', 404, 'The user may not run this activity');
  if (supplied === 'kept') return { refused: null, inputs: [] };
  const version = await versions.get(activityId, activity.Version);
  if (!version) throw new Error(`activity ${activityId} has no version ${activity.Version}`);
  const inputs = await activities.inputsFor(person, activity, version);
  if (supplied) return prepareSupplied(deps, person, { ...activity, inputs }, supplied);
  if (!canBeScheduled(inputs)) return refuse('The activity has inputs that someone must fill in');
  if (inputs.some(isUnconfigured)) return refuse(UNCONFIGURED);
  const wrong = inputs.find(({ PresetValueError }) => PresetValueError !== null);
  if (wrong) return refuse(`The preset value of ${wrong.Name} is not valid: ${wrong.PresetValueError}`);
  return { refused: null, inputs: inputs.map(withoutPerson) };
}

/** Prepares a start as if the person had sent these values, and nothing for the other inputs. */
async function prepareSupplied(
  { starts }: ScheduleStarterDeps,
  person: Person,
  { Id, Version, inputs }: { Id: number; Version: number; inputs: readonly Input[] },
  supplied: Exclude<SuppliedInputs, 'kept' | undefined>,
): Promise<ScheduledStart> {
  const values: RunInputValue[] = [];
  for (const one of supplied) {
    const { Name } = one;
    const input = inputs.find((asked) => asked.Name === Name);
    if (!input) return refuse(`The activity has no input ${Name}`);
    values.push(await valueOf(person, input, one));
  }
  const start = { ActivityId: Id, ActivityVersion: Version, UniqueId: null, Inputs: values };
  return { refused: null, inputs: (await starts.check(person, start)).rows };
}

async function valueOf(person: Person, input: Input, { Value, upload }: SuppliedInput): Promise<RunInputValue> {
  const ActivityParameterId = input.Id;
  if (!upload) return { ActivityParameterId, Value };
  return { ActivityParameterId, ArrayIndex: 0, ...(await upload(person, input)) };
}

/** Includes the problems of each input in the text, because there is no form that could mark them. */
export function refusalText({ message, modelState }: AppError): string {
  const issues = Object.entries(modelState ?? {}).map(([input, texts]) => `${input}: ${texts.join(', ')}`);
  return issues.length === 0 ? message : issues.join('; ');
}

/** Returns the value of an input that nobody fills in: its preset, or the workbook's own value. */
function withoutPerson({ Id, PresetValue }: Input): NewRunInput {
  const isPreset = PresetValue !== null;
  return {
    ActivityParameterId: Id,
    ArrayIndex: 0,
    Value: PresetValue,
    Rows: null,
    UseDefault: !isPreset,
    HasPresetValue: isPreset,
    FileId: null,
    FileName: null,
    ContentLength: null,
  };
}

/** The person has no session, because nobody is signed in. */
export function personOf({ UserId, UserName, FirstName, LastName, Source, IsUserAdmin }: UserRow): Person {
  return { UserId, UserName, FirstName, LastName, Source, IsUserAdmin, SessionId: '' };
}
