import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { InputsOf } from '#server/features/checklists/checklist-inputs-service.ts';
import { visibleActivities } from '#server/features/checklists/chosen-activities-service.ts';
import { outputsOf } from '#server/versions/version-views.ts';
import { countApprovers } from '#server/workflows/approvals/approvers.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { CatalogueActivity } from '#shared/rules/workflows/graph-sources.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import type { Approvers, WhoMayApprove } from '#shared/rules/workflows/validate-approval.ts';
import { missingApprovers } from './workflows-repository.ts';

export interface CatalogueDeps {
  database: Database;
  access: ChecklistAccess;
  inputsOf: InputsOf;
  versions: VersionCatalog;
}

/** Returns the distinct ids of the activities that a graph runs, in the order of its steps. */
export const activitiesOf = ({ Steps }: WorkflowGraph): number[] => [
  ...new Set(Steps.flatMap((step) => ('ActivityId' in step ? [step.ActivityId] : []))),
];

/** Returns the distinct ids of the users that the approvals of a graph name. */
export const approversOf = ({ Steps }: WorkflowGraph): number[] => [
  ...new Set(Steps.flatMap((step) => (step.Kind === 'Approval' ? step.UserIds : []))),
];

/** Returns who can currently decide the approvals of a graph. */
export async function readApprovers(db: Db, graph: WorkflowGraph): Promise<Approvers> {
  const found = new Map<string, WhoMayApprove>();
  for (const step of graph.Steps) {
    if (step.Kind !== 'Approval') continue;
    const { Key, Roles, UserIds } = step;
    const Missing = await missingApprovers(db, { Roles, UserIds });
    const Count = await countApprovers(db, { Roles, UserIds, Except: [] });
    found.set(Key, { Missing, Count });
  }
  return found;
}

/** An activity of a graph, with its id and schema. */
export interface KnownActivity extends CatalogueActivity {
  Id: number;
  Schema: string;
}

/**
 * Returns the newest versions of a graph's activities, for its validation. Only includes activities that the person
 * sees, or that were in the workflow before.
 */
export async function readCatalogue(
  { database, access, inputsOf, versions }: CatalogueDeps,
  person: Person,
  graph: WorkflowGraph,
  before: readonly { Id: number }[],
): Promise<ReadonlyMap<number, KnownActivity>> {
  const found = await visibleActivities(database.knex, access, person, activitiesOf(graph), before);
  const inputs = Map.groupBy(await inputsOf(person, [...found.values()]), ({ ActivityId }) => ActivityId);
  const catalogue = new Map<number, KnownActivity>();
  for (const { Id, Name, Schema, IsActive, Version } of found.values()) {
    const version = await versions.get(Id, Version);
    const Outputs = version ? outputsOf(version) : [];
    catalogue.set(Id, { Id, Name, Schema, IsActive, Inputs: inputs.get(Id) ?? [], Outputs });
  }
  return catalogue;
}
