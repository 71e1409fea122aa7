/** Creates and changes checklists. */
import type { Knex } from 'knex';
import { AppError, type ModelState } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { changedByOther, recordEdit } from '#server/access/edits.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { listSchemas } from '#server/access/schemas.ts';
import { parseOrder } from '#shared/rules/activity-rules.ts';
import {
  CHECKLIST_DESCRIPTION_MAX,
  CHECKLIST_GROUP_MAX,
  CHECKLIST_NAME_MAX,
  checklistIssues,
  isMappable,
  isSameInputName,
} from '#shared/rules/checklist-rules.ts';
import type { ChecklistEdit } from '#shared/contract/checklists.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { checklistNotFound, type ChecklistAccess } from '#server/access/checklist-access.ts';
import { chosenActivities, refused } from './chosen-activities-service.ts';
import type { InputsOf } from './checklist-inputs-service.ts';
import {
  findByUniqueId,
  insertChecklist,
  listMappings,
  lockChecklist,
  replaceActivities,
  replaceMappings,
  updateChecklist,
  type MappingRow,
} from './checklists-repository.ts';

export interface EditorDeps {
  database: Database;
  rights: RightsService;
  access: ChecklistAccess;
  inputsOf: InputsOf;
}

export interface SavedChecklist {
  Id: number;
  Revision: number;
}

const IS_WORKFLOW = 'The checklist has been edited as a workflow and can now be changed only as a workflow';

/** Stores a new checklist, or the changes to an existing one. */
export async function saveChecklist(deps: EditorDeps, person: Person, sent: ChecklistEdit): Promise<SavedChecklist> {
  const { knex, dialect } = deps.database;
  const { access } = deps;
  const edit = await sentBefore(knex, person, sent);
  const before = edit.Id === 0 ? null : await access.requireEdit(knex, person, edit.Id);
  if (before && before.checklist.WorkflowVersion !== null) throw new AppError('isWorkflow', 409, IS_WORKFLOW);
  if (!before) await requireSchema(deps, person, edit.Schema);
  const fields = fieldsOf(edit);
  const activityIds = edit.Activities.map(({ Id }) => Id);
  const members = await chosenActivities(knex, access, person, activityIds, before?.activities ?? []);
  const own = await deps.inputsOf(person, members);
  const stored = before ? await listMappings(knex, edit.Id) : [];
  const mappings = edit.Inputs ? mappingsOf(edit.Inputs, own) : remainingMappings(stored, own);
  check(edit, fields.Order, own, mappings);
  const row = { ...fields, Order: fields.Order ?? null };
  try {
    return await inTransaction(knex, async (trx) => {
      const saved = before
        ? await change(trx, { ...edit, person }, { ...row, Modified: dialect.now(trx) })
        : await insert(trx, { ...row, Schema: edit.Schema, UserId: person.UserId, UniqueId: edit.UniqueId ?? null });
      await replaceActivities(trx, saved.Id, activityIds);
      await replaceMappings(trx, saved.Id, mappings);
      return saved;
    });
  } catch (error) {
    // The same form was sent twice at the same time.
    if (before || !edit.UniqueId || dialect.classify(error).fault !== 'unique') throw error;
    return saveChecklist(deps, person, sent);
  }
}

async function insert(trx: Knex.Transaction, row: Parameters<typeof insertChecklist>[1]): Promise<SavedChecklist> {
  return { Id: await insertChecklist(trx, row), Revision: 1 };
}

async function change(
  trx: Knex.Transaction,
  { Id, Revision, person }: Pick<ChecklistEdit, 'Id' | 'Revision'> & { person: Person },
  row: Parameters<typeof updateChecklist>[2],
): Promise<SavedChecklist> {
  const current = await lockChecklist(trx, Id);
  if (!current) throw checklistNotFound();
  if (current.WorkflowVersion !== null) throw new AppError('isWorkflow', 409, IS_WORKFLOW);
  const record = { table: 'Checklists', key: Id } as const;
  if (Revision !== undefined && Revision !== null && Revision !== current.Revision)
    throw await changedByOther(trx, record, current.Revision);
  // Checklists count their Revisions themselves. This only records who made the change.
  await recordEdit(trx, record, { person, Revision: null });
  await updateChecklist(trx, Id, row);
  return { Id, Revision: current.Revision + 1 };
}

/** If the response to an earlier save of the same new checklist was lost, this save updates that checklist instead. */
async function sentBefore(knex: Knex, person: Person, sent: ChecklistEdit): Promise<ChecklistEdit> {
  if (sent.Id !== 0 || !sent.UniqueId) return sent;
  const existing = await findByUniqueId(knex, person.UserId, sent.UniqueId);
  return existing ? { ...sent, Id: existing.Id, Revision: null } : sent;
}

export async function requireSchema(
  { database, rights }: Pick<EditorDeps, 'database' | 'rights'>,
  person: Person,
  Schema: string,
): Promise<void> {
  const scope = await rights.scope(person, 'sk.EditChecklist');
  if (!isInScope(scope, { Schema })) {
    throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
  }
  const schemas = await listSchemas(database.knex);
  if (schemas.every(({ Name }) => Name !== Schema)) throw refused('Schema', `There is no schema '${Schema}'`);
}

/** Truncates texts that are too long, just as the form does while a person types. */
export function fieldsOf({
  Name,
  Description,
  Group,
  Order,
}: Pick<ChecklistEdit, 'Name' | 'Description' | 'Group' | 'Order'>) {
  return {
    Name: Name.trim().slice(0, CHECKLIST_NAME_MAX).trim(),
    Description: (Description ?? '').trim().slice(0, CHECKLIST_DESCRIPTION_MAX),
    Group: (Group ?? '').trim().slice(0, CHECKLIST_GROUP_MAX).trim(),
    Order: parseOrder(Order),
  };
}

/** Maps the sent values by activity input. All inputs of a name get the order of the first one. */
function mappingsOf(sent: NonNullable<ChecklistEdit['Inputs']>, own: readonly Input[]): MappingRow[] {
  const inputs = new Map(own.map((input) => [input.Id, input]));
  const mappings = new Map<number, MappingRow>();
  for (const [index, { InputName, ActivityInputs, Order }] of sent.entries()) {
    if (InputName.trim() === '') continue;
    const named = [...mappings.values()].find((one) => isSameInputName(one.InputName, InputName));
    const name = { InputName: named?.InputName ?? InputName.trim(), Order: named?.Order ?? Order ?? index };
    for (const { Id } of ActivityInputs) {
      const input = inputs.get(Id);
      if (!input) throw refused('Inputs', 'There is no such input in the activities of the checklist');
      if (!isMappable(input)) throw refused('Inputs', `'${input.Name}' cannot be mapped`);
      if (mappings.has(Id)) throw refused('Inputs', `'${input.Name}' can be mapped to only one name`);
      mappings.set(Id, { ActivityParameterId: Id, ...name });
    }
  }
  return [...mappings.values()];
}

/** Returns the stored mappings whose inputs still exist. */
function remainingMappings(stored: readonly MappingRow[], own: readonly Input[]): MappingRow[] {
  const ids = new Set(own.map(({ Id }) => Id));
  return stored.filter(({ ActivityParameterId }) => ids.has(ActivityParameterId));
}

/** Throws an AppError 400 that lists all problems of the checklist. */
function check(
  { Name, Activities, Inputs }: ChecklistEdit,
  Order: number | null | undefined,
  own: readonly Input[],
  mappings: readonly MappingRow[],
): void {
  const names = new Map(mappings.map(({ ActivityParameterId, InputName }) => [ActivityParameterId, InputName]));
  const inputs = own.filter(isMappable).map(({ Id, Info }) => ({ InputName: names.get(Id) ?? '', Info }));
  // If no mappings were sent, they can be completed later.
  const checked = Inputs ? inputs : [];
  const issues = checklistIssues({ Name, Order, activityCount: Activities.length, inputs: checked });
  const [first] = issues;
  if (!first) return;
  const modelState: ModelState = {};
  for (const { field, message } of issues) modelState[field] = [message];
  throw new AppError('checklistInvalid', 400, first.message, { modelState });
}
