import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { ActivityVersion } from '#server/versions/version-catalog.ts';
import type { LinkMapping } from '#shared/contract/links.ts';
import { fitsOutput, isLinkable } from '#shared/rules/link-rules.ts';
import { listLinksAround } from './links-repository.ts';
import { parseLinkInfo } from '#shared/codecs/link-info.ts';

type Presets = ReadonlyMap<number, string>;

/** Throws an AppError 400 that explains the first invalid mapping. */
export async function checkMappings(
  knex: Knex,
  mappings: readonly LinkMapping[],
  from: ActivityVersion,
  to: ActivityVersion,
): Promise<void> {
  const presets = await presetsOf(knex, to.ActivityId);
  const taken = new Set<number>();
  for (const mapping of mappings) {
    const issue = taken.has(mapping.target)
      ? 'An input can be mapped to only one output'
      : mappingIssue(mapping, from, to, presets);
    if (issue !== null) throw new AppError('linkInvalid', 400, issue, { modelState: { LinkInfo: [issue] } });
    taken.add(mapping.target);
  }
}

function mappingIssue(
  { source, target, ReadOnly }: LinkMapping,
  from: ActivityVersion,
  to: ActivityVersion,
  presets: Presets,
): string | null {
  const output = from.outputs.find(({ Id }) => Id === source);
  if (!output) return 'The activity has no such output';
  const input = to.inputs.find(({ Id }) => Id === target);
  if (!input) return 'The linked activity has no such input';
  const { Name, Info } = input;
  if (!isLinkable({ Info, PresetValue: presets.get(target) ?? null })) return `'${Name}' cannot be linked`;
  if (!fitsOutput(Info, output.Info)) return `'${output.Name}' cannot become '${Name}': they are of different types`;
  return ReadOnly.length === Info.CellUsages.length
    ? null
    : `ReadOnly of '${Name}' must have a value for each of its columns`;
}

async function presetsOf(knex: Knex, ActivityId: number): Promise<Presets> {
  const rows = await knex('ActivityParameters')
    .where({ ActivityId })
    .whereNotNull('PresetValue')
    .select<{ Id: number; PresetValue: string }[]>('Id', 'PresetValue');
  return new Map(rows.map(({ Id, PresetValue }) => [Id, PresetValue]));
}

type FindVersion = (activityId: number) => Promise<ActivityVersion | null>;

/**
 * Returns the incompatibilities of an activity's version with the links from and to the activity.
 * @param newestOf returns the newest version of the activity at the other end
 */
export async function findLinkIncompatibilities(
  knex: Knex,
  version: ActivityVersion,
  newestOf: FindVersion,
): Promise<string[]> {
  const found: string[] = [];
  const endOf = (id: number) => (id === version.ActivityId ? version : newestOf(id));
  for (const link of await listLinksAround(knex, version.ActivityId)) {
    const mappings = parseLinkInfo(link.LinkInfo) ?? [];
    const [lost, remaining] = partition(mappings, (mapping) => isLost(mapping, link.ActivityId, version));
    const what = link.ActivityId === version.ActivityId ? 'an output' : 'an input';
    if (lost.length > 0) found.push(`The linkage '${link.Name}' uses ${what} that this version does not have`);
    const [from, to] = [await endOf(link.ActivityId), await endOf(link.LinkedActivityId)];
    if (!from || !to) continue;
    const presets = await presetsOf(knex, to.ActivityId);
    for (const mapping of remaining) {
      const issue = mappingIssue(mapping, from, to, presets);
      if (issue !== null) found.push(`The linkage '${link.Name}' cannot be used: ${issue}`);
    }
  }
  return found;
}

const isLost = ({ source, target }: LinkMapping, from: number, { ActivityId, inputs, outputs }: ActivityVersion) =>
  from === ActivityId ? outputs.every(({ Id }) => Id !== source) : inputs.every(({ Id }) => Id !== target);

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
