/** Stores workflows that were not edited from a checklist: drawn from nothing, copied, or imported from a file. */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { fieldsOf, requireSchema } from '#server/features/checklists/checklist-editor-service.ts';
import { refused } from '#server/features/checklists/chosen-activities-service.ts';
import {
  changeChecklistFields,
  findChecklistByUniqueId,
  insertChecklistOfWorkflow,
  lockedChecklist,
  replaceChecklistActivities,
} from '#server/features/checklists/checklist-workflow-service.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { createWorkflow } from '#shared/contract/new-workflows.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { activitiesOf, type CatalogueDeps } from './workflow-catalogue.ts';
import { requireValid } from './workflow-editor.ts';
import { workflowChanged, type NewVersion, type SavedWorkflow } from './workflow-versions.ts';
import { findVersion, insertVersion } from './workflows-repository.ts';

type NewWorkflow = BodyOf<typeof createWorkflow>;
type ChecklistFields = Omit<Parameters<typeof insertChecklistOfWorkflow>[1], 'UserId'>;

export interface NewWorkflows {
  /**
   * Stores a workflow and its version 1. If the same form has already stored it, because the response was lost, stores
   * what was changed since. Throws an AppError 400 that lists all problems of the graph.
   */
  create(person: Person, workflow: NewWorkflow): Promise<SavedWorkflow>;
}

export function createNewWorkflows(deps: CatalogueDeps & { rights: RightsService }): NewWorkflows {
  const { database } = deps;
  const { knex, dialect } = database;

  async function create(person: Person, workflow: NewWorkflow): Promise<SavedWorkflow> {
    const { Schema, Graph, UniqueId = null } = workflow;
    await requireSchema(deps, person, Schema);
    const fields = workflowFields(workflow);
    if (fields.Name === '') throw refused('Name', 'Workflow name must be provided.');
    const stored = UniqueId === null ? undefined : await findChecklistByUniqueId(knex, person.UserId, UniqueId);
    if (stored) await requireStored(deps, person, stored.Id, Schema);
    await requireValid(deps, person, Graph, []);
    if (stored) return storeChanges(database, person, { Id: stored.Id, fields, Graph });
    try {
      return await storeNewWorkflow(database, person, {
        fields: { ...fields, Schema, UniqueId },
        Graph,
        ChangeDescription: '',
      });
    } catch (error) {
      // The same form was sent twice at the same time.
      if (UniqueId === null || dialect.classify(error).fault !== 'unique') throw error;
      return create(person, workflow);
    }
  }

  return { create };
}

/** The person may have lost rights, or chosen another schema, since the same form stored the workflow. */
async function requireStored({ database, access }: CatalogueDeps, person: Person, id: number, schema: string) {
  const { checklist } = await access.requireEdit(database.knex, person, id);
  if (checklist.Schema === schema) return;
  throw refused('Schema', `The workflow was already created in the schema ${checklist.Schema}. Choose that schema.`);
}

/** Returns what a checklist stores of a workflow, with texts that are too long truncated. */
export function workflowFields({ Name, Description, Group }: Pick<NewWorkflow, 'Name' | 'Description' | 'Group'>) {
  const { Order: _, ...fields } = fieldsOf({ Name, Description, Group, Order: null });
  return { ...fields, Order: null };
}

/** Stores a checklist that is a workflow from the start, with the first version of its graph. */
export async function storeNewWorkflow(
  database: Database,
  person: Person,
  workflow: StoredWorkflow,
): Promise<SavedWorkflow> {
  return inTransaction(database.knex, (trx) => insertNewWorkflow(database, trx, person, workflow));
}

type StoredWorkflow = { fields: ChecklistFields } & Pick<NewVersion, 'Graph' | 'ChangeDescription'>;

/** As storeNewWorkflow, in a transaction of the caller. */
export async function insertNewWorkflow(
  { dialect }: Pick<Database, 'dialect'>,
  trx: Knex.Transaction,
  person: Person,
  { fields, Graph, ChangeDescription }: StoredWorkflow,
): Promise<SavedWorkflow> {
  const Id = await insertChecklistOfWorkflow(trx, { ...fields, UserId: person.UserId });
  return storeVersion(trx, person, { Id, Version: 1, Graph, ChangeDescription }, dialect.now(trx));
}

/** Throws an AppError 409 if someone has edited the workflow since it was created. */
async function storeChanges(
  { knex, dialect }: Database,
  person: Person,
  { Id, fields, Graph }: { Id: number; fields: ReturnType<typeof workflowFields>; Graph: WorkflowGraph },
): Promise<SavedWorkflow> {
  return inTransaction(knex, async (trx) => {
    const { WorkflowVersion } = await lockedChecklist(trx, Id);
    const first = await findVersion(trx, Id, 1);
    const isSame = first !== undefined && isDeepStrictEqual(JSON.parse(first.Graph), Graph);
    if (WorkflowVersion !== 1) {
      if (isSame) return { Id, Version: 1 };
      throw workflowChanged();
    }
    const now = dialect.now(trx);
    await changeChecklistFields(trx, Id, { ...fields, Modified: now });
    return isSame
      ? { Id, Version: 1 }
      : storeVersion(trx, person, { Id, Version: 2, Graph, ChangeDescription: '' }, now);
  });
}

/** Stores a version and makes it the newest one. The caller must have locked the checklist, or inserted it. */
export async function storeVersion(
  trx: Knex.Transaction,
  person: Person,
  { Id, Version, Graph, ChangeDescription }: NewVersion & { Version: number },
  now: Knex.Raw,
): Promise<SavedWorkflow> {
  const row = { ChecklistId: Id, Version, Graph: JSON.stringify(Graph), ChangeDescription, UserId: person.UserId };
  await insertVersion(trx, row, now);
  await replaceChecklistActivities(trx, Id, activitiesOf(Graph));
  return { Id, Version };
}
