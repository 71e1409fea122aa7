/** Checks whether the person that a schedule runs as may still run the checklist, and prepares the run. */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { ChecklistStartService } from '#server/features/checklists/checklist-start-service.ts';
import type { ChecklistsService } from '#server/features/checklists/checklists-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { Person } from '#server/base/person.ts';
import type { WorkflowScheduleStarter } from '#server/automation/schedules/workflow-schedule-starter.ts';
import type { SuppliedInput, Refusal, StartedBy } from '#server/automation/schedules/scheduled-runs.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import { canBeScheduled } from '#shared/rules/schedule-rules.ts';
import { personOf, refusalText } from './schedule-starter.ts';

export interface ChecklistScheduleStarterDeps {
  database: Database;
  users: UsersService;
  access: ChecklistAccess;
  checklists: Pick<ChecklistsService, 'details'>;
  starts: Pick<ChecklistStartService, 'prepare'>;
}

const refusePerson = (refused: string): Refusal => ({ refused, isAboutPerson: true });

export function createChecklistScheduleStarter(deps: ChecklistScheduleStarterDeps): WorkflowScheduleStarter {
  const { users, checklists, starts } = deps;

  /** Returns the person, or the reason why the schedule may no longer run as them. */
  async function holder(
    userId: number,
    by: StartedBy = 'schedule',
  ): Promise<Refusal | { refused: null; person: Person; name: string }> {
    const user = await users.findById(userId);
    if (!user) return refusePerson(`The user that the ${by} runs as no longer exists`);
    const name = fullName(user);
    if (!user.Enabled) return refusePerson(`The user that the ${by} runs as, ${name}, is disabled`);
    return { refused: null, person: personOf(user), name };
  }

  async function prepareAs(person: Person, ChecklistId: number, supplied: readonly SuppliedInput[] | undefined) {
    const { Inputs, Workflow } = await checklists.details(person, ChecklistId);
    if (!supplied && !canBeScheduled(Inputs.flatMap(({ ActivityInputs }) => ActivityInputs)))
      return { refused: 'The checklist has inputs that someone must fill in' };
    const unknown = supplied?.find(({ Name }) => !Inputs.some(({ InputName }) => isSameInputName(InputName, Name)));
    if (unknown) return { refused: `The checklist has no input ${unknown.Name}` };
    const values = [];
    for (const { InputName, ActivityInputs } of Inputs) {
      const value = supplied?.find(({ Name }) => isSameInputName(InputName, Name));
      const [taker] = ActivityInputs;
      const file = taker && (await value?.upload?.(person, taker));
      // Matches what a form sends for untouched inputs.
      values.push({ ChecklistInputName: InputName, Value: value?.Value ?? null, UseDefault: !value, ...file });
    }
    const prepared = await starts.prepare(person, {
      ChecklistId,
      WorkflowId: Workflow?.Id ?? null,
      Inputs: values,
    });
    return { refused: null, ...prepared };
  }

  return {
    refusal: async (ChecklistId, userId) => {
      const held = await holder(userId);
      if (held.refused !== null) return held;
      try {
        await checklists.details(held.person, ChecklistId);
        return null;
      } catch (error) {
        return refusalOf(error, held.name);
      }
    },
    prepare: async (ChecklistId, userId, supplied, by = 'schedule') => {
      const held = await holder(userId, by);
      if (held.refused !== null) return held;
      try {
        return await prepareAs(held.person, ChecklistId, supplied);
      } catch (error) {
        return refusalOf(error, held.name, by);
      }
    },
  };
}

function refusalOf(error: unknown, name: string, by: StartedBy = 'schedule'): Refusal {
  if (!(error instanceof AppError)) throw error;
  if (error.status === 404) return refusePerson(`The user that the ${by} runs as, ${name}, may not run the checklist`);
  return error.status === 403 ? refusePerson(refusalText(error)) : { refused: refusalText(error) };
}
