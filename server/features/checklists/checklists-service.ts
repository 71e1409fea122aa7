/** Checklists for the people who view, run and edit them. */
import type { Person } from '#server/base/person.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Database } from '#server/db/database.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { listSchemas } from '#server/access/schemas.ts';
import type { Checklist, ChecklistEdit } from '#shared/contract/checklists.ts';
import type { ChecklistAccess, VisibleChecklist } from '#server/access/checklist-access.ts';
import { seenActivities } from './chosen-activities-service.ts';
import { saveChecklist, type SavedChecklist } from './checklist-editor-service.ts';
import type { InputsOf } from './checklist-inputs-service.ts';
import { findLastRun } from './checklist-list-repository.ts';
import { checklistInputs, unmappedInputs, workflowInputs, workflowOf } from './checklist-views.ts';
import { findWorkflowGraph, listMappings } from './checklists-repository.ts';

export interface ChecklistsService {
  details(person: Person, checklistId: number): Promise<Checklist>;
  allowedSchemas(person: Person): Promise<{ Name: string }[]>;
  /** Creates or changes a checklist. */
  save(person: Person, edit: ChecklistEdit): Promise<SavedChecklist>;
}

export interface ChecklistsDeps {
  database: Database;
  rights: RightsService;
  access: ChecklistAccess;
  inputsOf: InputsOf;
}

export function createChecklistsService(deps: ChecklistsDeps): ChecklistsService {
  const { database, rights, access, inputsOf } = deps;
  const { knex } = database;

  return {
    save: (person, edit) => saveChecklist(deps, person, edit),
    allowedSchemas: async (person) => {
      const scope = await rights.scope(person, 'sk.EditChecklist');
      const schemas = await listSchemas(knex);
      return schemas.filter(({ Name }) => isInScope(scope, { Schema: Name })).map(({ Name }) => ({ Name }));
    },
    details: async (person, checklistId) => {
      const visible = await access.require(knex, person, checklistId);
      const { checklist, activities, CanEdit, CanRun } = visible;
      const { WorkflowVersion } = checklist;
      const seen = await seenActivities(knex, access, person, visible);
      const [own, mappings, graph, lastRun] = await Promise.all([
        inputsOf(
          person,
          activities.filter(({ Id }) => seen.has(Id)),
        ),
        listMappings(knex, checklistId),
        WorkflowVersion === null ? null : findWorkflowGraph(knex, checklistId, WorkflowVersion),
        lastRunFor(database, person, visible),
      ]);
      const Inputs = graph ? workflowInputs(checklistId, own, graph) : checklistInputs(checklistId, own, mappings);
      const { Id, Revision, Name, Description, Schema, Group, Order, UniqueId } = checklist;
      return {
        Id,
        Revision,
        Name,
        Description,
        Schema,
        Group,
        Order,
        UniqueId,
        CanEdit,
        CanRun,
        ...workflowOf(checklist),
        Activities: activities,
        Inputs,
        // A workflow's steps define which inputs it asks for.
        UnmappedInputs: graph ? [] : unmappedInputs(own, Inputs),
        ...lastRun,
      };
    },
  };
}

/** Returns the newest run that the person may see. */
async function lastRunFor(
  { knex }: Database,
  { UserId }: Person,
  { checklist, CanViewRuns }: VisibleChecklist,
): Promise<Pick<Checklist, 'LastRun' | 'LastRunId' | 'IsLastRunWorkflow'>> {
  const run = await findLastRun(knex, checklist.Id, CanViewRuns ? undefined : UserId);
  if (!run) return { LastRun: null, LastRunId: null, IsLastRunWorkflow: false };
  const { Id, QueueTime, Status } = run;
  return {
    LastRun: { Id, QueueTime: QueueTime.toISOString(), Status, UserFullName: fullName(run) },
    LastRunId: Id,
    IsLastRunWorkflow: run.WorkflowVersion !== null,
  };
}
