import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess } from '#server/features/checklists/checklist-access.ts';
import type { InputsOf } from '#server/features/checklists/checklist-inputs.ts';
import { visibleActivities } from '#server/features/checklists/chosen-activities.ts';
import { outputsOf } from '#server/features/activities/activity-views.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { Catalogue, CatalogueActivity } from '#shared/rules/chains/validate-graph.ts';
import type { ChainGraph } from '#shared/rules/chains/types.ts';

export interface CatalogueDeps {
  database: Database;
  access: ChecklistAccess;
  inputsOf: InputsOf;
  versions: VersionCatalog;
}

/** The ids of the activities that a graph runs, each once, in the order of its steps. */
export const activitiesOf = ({ Steps }: ChainGraph): number[] => [
  ...new Set(Steps.flatMap((step) => ('ActivityId' in step ? [step.ActivityId] : []))),
];

/** What a graph is held against: the newest versions of its activities, as far as the person sees them or they were in it before. */
export async function readCatalogue(
  { database, access, inputsOf, versions }: CatalogueDeps,
  person: Person,
  graph: ChainGraph,
  before: readonly { Id: number }[],
): Promise<Catalogue> {
  const found = await visibleActivities(database.knex, access, person, activitiesOf(graph), before);
  const inputs = Map.groupBy(await inputsOf(person, [...found.values()]), ({ ActivityId }) => ActivityId);
  const catalogue = new Map<number, CatalogueActivity>();
  for (const { Id, Name, IsActive, Version } of found.values()) {
    const version = await versions.get(Id, Version);
    const Outputs = version ? outputsOf(version) : [];
    catalogue.set(Id, { Name, IsActive, Inputs: inputs.get(Id) ?? [], Outputs });
  }
  return catalogue;
}
