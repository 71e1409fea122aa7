/** Creates workflows from files that were exported here or elsewhere. */
import type { Person } from '#server/base/person.ts';
import { requireSchema } from '#server/features/checklists/checklist-editor-service.ts';
import { refused } from '#server/features/checklists/chosen-activities-service.ts';
import { findChecklistByUniqueId } from '#server/features/checklists/checklist-workflow-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { importWorkflow } from '#shared/contract/workflows.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { storeNewWorkflow, workflowFields } from './new-workflows-service.ts';
import type { CatalogueDeps } from './workflow-catalogue.ts';
import type { WorkflowFile } from './workflow-file.ts';
import { readImportedFile } from './workflow-manifest.ts';
import { resolveFile, type MissingName } from './workflow-names.ts';
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
      const file = readImportedFile(body.Content);
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

/** Replaces names by the ids of activities and people here. Throws an AppError 400 that names the missing ones. */
async function resolve({ database }: CatalogueDeps, file: WorkflowFile): Promise<WorkflowGraph> {
  const { graph, missing } = await resolveFile(database.knex, file);
  const namesOf = (one: MissingName['field']): string =>
    [...new Set(missing.filter(({ field }) => field === one).map(({ name }) => name))].join(', ');
  const activities = namesOf('activity');
  if (activities !== '') throw refused('Content', `These activities of the workflow do not exist here: ${activities}`);
  const users = namesOf('users');
  if (users !== '') throw refused('Content', `These approvers of the workflow do not exist here: ${users}`);
  return graph;
}
