/** Whether the person a schedule runs as may still run the checklist, and what is run then. */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess } from '#server/features/checklists/checklist-access.ts';
import type { ChecklistStartService } from '#server/features/checklists/checklist-start-service.ts';
import type { ChecklistsService } from '#server/features/checklists/checklists-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { ChainScheduleStarter, ScheduledChain } from '#server/jobs/schedules/scheduled-chains.ts';
import { canBeScheduled } from '#shared/rules/schedule-rules.ts';
import { personOf } from './schedule-starter.ts';

export interface ChecklistScheduleStarterDeps {
  database: Database;
  users: UsersService;
  access: ChecklistAccess;
  checklists: Pick<ChecklistsService, 'details'>;
  starts: Pick<ChecklistStartService, 'prepare'>;
}

const refuse = (refused: string): ScheduledChain => ({ refused });

export function createChecklistScheduleStarter(deps: ChecklistScheduleStarterDeps): ChainScheduleStarter {
  const { users, checklists, starts } = deps;

  return {
    prepare: async (ChecklistId, userId) => {
      const user = await users.findById(userId);
      if (!user) return refuse('The user whom the schedule runs as does not exist any more');
      const name = fullName(user);
      if (!user.Enabled) return refuse(`The user whom the schedule runs as, ${name}, is not enabled`);
      const person = personOf(user);
      try {
        const { Inputs, Workflow } = await checklists.details(person, ChecklistId);
        if (!canBeScheduled(Inputs.flatMap(({ ActivityInputs }) => ActivityInputs)))
          return refuse('The checklist has inputs that somebody has to fill in');
        const prepared = await starts.prepare(person, {
          ChecklistId,
          WorkflowId: Workflow?.Id ?? null,
          // As a form sends what nobody touched.
          Inputs: Inputs.map(({ InputName }) => ({ ChecklistInputName: InputName, Value: null, UseDefault: true })),
        });
        return { refused: null, ...prepared };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.status === 404)
          return refuse(`The user whom the schedule runs as, ${name}, may not run the checklist`);
        return refuse(textOf(error));
      }
    },
  };
}

/** Nobody sees a form in which single inputs are marked. */
function textOf({ message, modelState }: AppError): string {
  const issues = Object.entries(modelState ?? {}).map(([input, texts]) => `${input}: ${texts.join(', ')}`);
  return issues.length === 0 ? message : issues.join('; ');
}
