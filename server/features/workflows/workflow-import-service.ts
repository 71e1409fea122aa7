/** Creates workflows from files that were exported here or elsewhere. */
import type { Person } from '#server/base/person.ts';
import { requireSchema } from '#server/features/checklists/checklist-editor-service.ts';
import { refused } from '#server/features/checklists/chosen-activities-service.ts';
import { findChecklistByUniqueId } from '#server/features/checklists/checklist-workflow-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { userNameKey } from '#server/features/users/users-service.ts';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { importWorkflow } from '#shared/contract/workflows.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { storeNewWorkflow, workflowFields } from './new-workflows-service.ts';
import type { CatalogueDeps } from './workflow-catalogue.ts';
import {
  activitiesOfFile,
  graphOfFile,
  readWorkflowFile,
  usersOfFile,
  type NamedActivity,
  type WorkflowFile,
} from './workflow-file.ts';
import { findActivitiesByName, findUsersByName } from './workflows-repository.ts';
import { requireValid } from './workflow-editor.ts';
import type { SavedWorkflow } from './workflow-versions.ts';

export interface WorkflowImport {
  /** Throws an AppError 400 that says what is wrong with the file, or missing here. */
  import(person: Person, body: BodyOf<typeof importWorkflow>): Promise<SavedWorkflow>;
}

export function createWorkflowImport(deps: CatalogueDeps & { rights: RightsService }): WorkflowImport {
  const { knex, dialect } = deps.database;

  async function store(person: Person, body: BodyOf<typeof importWorkflow>, file: WorkflowFile, graph: WorkflowGraph) {
    const fields = workflowFields({ ...file, Name: body.Name?.trim() || file.Name });
    if (fields.Name === '') throw refused('Name', 'Checklist name must be provided.');
    return storeNewWorkflow(deps.database, person, {
      fields: { ...fields, Schema: body.Schema, UniqueId: body.UniqueId ?? null },
      Graph: graph,
      ChangeDescription: 'Imported',
    });
  }

  /** Returns the workflow that the same form has already imported, if the response was lost. */
  async function importedBefore(person: Person, UniqueId: string | null | undefined): Promise<SavedWorkflow | null> {
    const existing = UniqueId ? await findChecklistByUniqueId(knex, person.UserId, UniqueId) : undefined;
    return existing ? { Id: existing.Id, Version: existing.WorkflowVersion ?? 1 } : null;
  }

  return {
    import: async (person, body) => {
      await requireSchema(deps, person, body.Schema);
      const before = await importedBefore(person, body.UniqueId);
      if (before) return before;
      const file = readWorkflowFile(body.Content);
      const graph = await resolve(deps, file);
      await requireValid(deps, person, graph, []);
      try {
        return await store(person, body, file, graph);
      } catch (error) {
        const existing =
          dialect.classify(error).fault === 'unique' ? await importedBefore(person, body.UniqueId) : null;
        if (!existing) throw error;
        return existing;
      }
    },
  };
}

/**
 * Replaces names by the activities and people with those names here. Throws an AppError 400 that names the missing
 * ones.
 */
async function resolve({ database }: CatalogueDeps, file: WorkflowFile): Promise<WorkflowGraph> {
  const activities = activitiesOfFile(file);
  const named = activities.map(({ Schema, Name }) => ({ Schema, NameKey: nameKey(Name) }));
  const known = await findActivitiesByName(database.knex, named);
  const find = ({ Schema, Name }: NamedActivity) =>
    known.find((one) => one.Schema === Schema && one.NameKey === nameKey(Name));
  const missing = activities.filter((activity) => !find(activity));
  if (missing.length > 0) {
    const names = [...new Set(missing.map(({ Schema, Name }) => `'${Name}' in ${Schema}`))].join(', ');
    throw refused('Content', `These activities of the workflow do not exist here: ${names}`);
  }
  const users = await findUsersByName(database.knex, usersOfFile(file).map(userNameKey));
  const unknown = usersOfFile(file).filter((name) => !users.has(userNameKey(name)));
  if (unknown.length > 0) {
    const names = unknown.map((name) => `'${name}'`).join(', ');
    throw refused('Content', `These approvers of the workflow do not exist here: ${names}`);
  }
  return graphOfFile(file, {
    idOf: (activity) => find(activity)!.Id,
    userIdOf: (name) => users.get(userNameKey(name))!,
  });
}
