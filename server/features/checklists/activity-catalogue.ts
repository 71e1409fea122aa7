/** Describes the activities of a workflow in given versions, for the validation of its graph. */
import type { Person } from '#server/base/person.ts';
import { outputsOf } from '#server/versions/version-views.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { CatalogueActivity } from '#shared/rules/workflows/graph-sources.ts';
import type { InputsOf } from './checklist-inputs-service.ts';

export interface ActivityCatalogueDeps {
  inputsOf: InputsOf;
  versions: VersionCatalog;
}

type Member = Parameters<InputsOf>[1][number] & { Name: string; IsActive: boolean };

/** Returns the activities by id. @param members activities with the wanted versions */
export async function readActivityCatalogue(
  { inputsOf, versions }: ActivityCatalogueDeps,
  person: Person,
  members: readonly Member[],
): Promise<Map<number, CatalogueActivity>> {
  const inputs = Map.groupBy(await inputsOf(person, members), ({ ActivityId }) => ActivityId);
  const catalogue = new Map<number, CatalogueActivity>();
  for (const { Id, Name, IsActive, Version } of members) {
    const version = await versions.get(Id, Version);
    catalogue.set(Id, { Name, IsActive, Inputs: inputs.get(Id) ?? [], Outputs: version ? outputsOf(version) : [] });
  }
  return catalogue;
}
