/**
 * Prepares steps of checklists and workflows right before they are queued, as if the person who started the run started
 * each step now.
 */
import { AppError, createModelState } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { UserRow, UsersService } from '#server/features/users/users-service.ts';
import type { PreparedStep, PrepareStep, StepToPrepare } from '#server/workflows/workflow-context.ts';
import type { NewRunInput } from '#server/queue/enqueue-run.ts';
import { encodeInput, InputShapeError } from '#shared/codecs/input-form.ts';
import { linkedFormInput } from '#shared/codecs/linked-values.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';
import { checkInput } from '#shared/rules/input-rules.ts';
import { issueMessages } from '#shared/rules/issue-messages.ts';
import type { StartService } from './start-service.ts';

export interface PrepareStepDeps {
  database: Database;
  users: Pick<UsersService, 'findById'>;
  activityAccess: ActivityAccess;
  starts: Pick<StartService, 'check'>;
}

export function createPrepareStep(deps: PrepareStepDeps): PrepareStep {
  return async (step) => {
    const user = await deps.users.findById(step.UserId);
    if (!user?.Enabled) return { refused: 'The user who started the run has been disabled' };
    try {
      return await prepareAs(deps, personOf(user), step);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.status === 404) return { refused: await whyHidden(deps, step) };
      return { refused: textOf(error) };
    }
  };
}

/** The reason is not secret: the person was allowed to run the activity when they started the whole run. */
async function whyHidden({ database }: PrepareStepDeps, { ActivityId }: StepToPrepare): Promise<string> {
  const inactive = await database.knex('Activities').where({ Id: ActivityId, IsActive: false }).first('Id');
  return inactive === undefined
    ? 'The user who started the run may no longer run this activity'
    : 'The activity is no longer active and cannot be run';
}

async function prepareAs(
  { database: { knex }, activityAccess, starts }: PrepareStepDeps,
  person: Person,
  { ActivityId, ActivityVersion, upstreamValues, stored, isComplete = false }: StepToPrepare,
): Promise<PreparedStep> {
  if (upstreamValues.size === 0) {
    const { CanRun } = await activityAccess.require(knex, person, ActivityId);
    return CanRun ? { refused: null, inputs: [] } : { refused: 'The activity is not active and cannot be run' };
  }
  const files = [
    ...stored.map(({ FileId }) => FileId),
    ...[...upstreamValues.values()].flatMap((value) => value.files.map((file) => file.FileId)),
  ];
  const { rows } = await starts.check(
    person,
    { ActivityId, ActivityVersion, AcceptOutdatedVersion: true, UniqueId: null, Inputs: [] },
    {
      allowedFiles: new Set(files.filter((id) => id !== null)),
      prepare: (inputs) => ({
        // The input takes the earlier step's value even if the person may not change it, just like a value from a link.
        inputs: inputs.map((input) => (upstreamValues.has(input.Id) ? { ...input, HasAccess: true } : input)),
        values: [...stored.map(sentValue), ...convertUpstreamValues(inputs, upstreamValues)],
      }),
    },
  );
  return { refused: null, inputs: rows.filter((row) => isComplete || upstreamValues.has(row.ActivityParameterId)) };
}

function sentValue({
  ActivityParameterId,
  ArrayIndex,
  Value,
  UseDefault,
  FileId,
  FileName,
}: NewRunInput): RunInputValue {
  return { ActivityParameterId, ArrayIndex, Value, UseDefault, FileId, FileName };
}

function convertUpstreamValues(
  inputs: readonly Input[],
  upstreamValues: StepToPrepare['upstreamValues'],
): RunInputValue[] {
  const modelState = createModelState();
  const values: RunInputValue[] = [];
  for (const [id, value] of upstreamValues) {
    const input = inputs.find(({ Id }) => Id === id);
    if (!input) continue;
    try {
      const open = { ...input, HasAccess: true };
      const form = linkedFormInput(input, value, null);
      // Check before encoding: encoding turns an invalid number into a blank, and a blank stands for the workbook's own
      // value.
      const issues = checkInput(open, form);
      if (issues.length > 0) modelState[input.Name] = issueMessages(issues);
      else values.push(...encodeInput(open, form));
    } catch (error) {
      if (!(error instanceof InputShapeError)) throw error;
      modelState[input.Name] = ['The step that fills it did not return a usable value'];
    }
  }
  if (Object.keys(modelState).length > 0)
    throw new AppError('inputsInvalid', 400, 'The inputs are not valid', { modelState });
  return values;
}

function textOf(error: AppError): string {
  const { modelState } = error;
  if (!modelState) return error.message;
  return Object.entries(modelState)
    .map(([name, messages]) => (name === '' ? messages.join('. ') : `${name}: ${messages.join('. ')}`))
    .join('; ');
}

/** The person has no session, because nobody is signed in when a step becomes due. */
export function personOf({ UserId, UserName, FirstName, LastName, Source, IsUserAdmin }: UserRow): Person {
  return { UserId, UserName, FirstName, LastName, Source, IsUserAdmin, SessionId: '' };
}
