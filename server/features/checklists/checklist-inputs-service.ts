import type { Person } from '#server/base/person.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { MemberRow } from '#server/access/find-checklist.ts';

/**
 * Returns the inputs of the given versions of activities, in the order of the activities, with the person's access
 * rights and the preset values.
 */
export type InputsOf = (
  person: Person,
  activities: readonly Pick<MemberRow, 'Id' | 'Schema' | 'Version'>[],
) => Promise<Input[]>;

export function createInputsOf(
  activities: Pick<ActivitiesService, 'inputsFor' | 'presetsOfAll'>,
  versions: VersionCatalog,
): InputsOf {
  return async (person, members) => {
    const presets = await activities.presetsOfAll(members.map(({ Id }) => Id));
    const inputs: Input[] = [];
    for (const member of members) {
      const version = await versions.get(member.Id, member.Version);
      if (!version) throw new Error(`activity ${member.Id} has no version ${member.Version}`);
      inputs.push(...(await activities.inputsFor(person, member, version, presets.get(member.Id) ?? new Map())));
    }
    return inputs;
  };
}
