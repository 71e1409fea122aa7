/** Finds the reasons why schedules of an activity could not start a given version. */
import type { Knex } from 'knex';
import { presetIssue } from '#server/versions/preset-values.ts';
import type { ActivityVersion, VersionInput } from '#server/versions/version-catalog.ts';
import type { ScheduleInput } from '#shared/contract/additional-schedules.ts';
import { canBeScheduled } from '#shared/rules/schedule-rules.ts';

type Scheduled = Pick<ActivityVersion, 'ActivityId' | 'inputs'>;

/**
 * Returns one text per reason, for the daily schedule and all others, including paused ones.
 * @param presets JSON texts of the preset values, by input id
 */
export async function findScheduleIncompatibilities(
  knex: Knex,
  { ActivityId, inputs }: Scheduled,
  presets: ReadonlyMap<number, string>,
): Promise<string[]> {
  const open = inputs.filter(({ Id, Info }) => {
    // Assume access to every input, because the person whom a schedule runs as may have every right.
    return !canBeScheduled([{ Info, HasAccess: true, PresetValue: presets.get(Id) ?? null }]);
  });
  const daily = await knex('ActivitySchedules').where({ ActivityId }).first('ActivityId');
  const others = await knex('Timetables').where({ ActivityId }).orderBy('Id').select('Name', 'InputsText');
  return [
    ...(daily && open.length > 0
      ? [`The schedule cannot start the activity without a value for ${namesOf(open)}`]
      : []),
    ...others.flatMap(({ Name, InputsText }) =>
      incompatibilitiesOf(Name, JSON.parse(InputsText) as ScheduleInput[], { inputs, open }),
    ),
  ];
}

function incompatibilitiesOf(
  schedule: string,
  supplied: readonly ScheduleInput[],
  { inputs, open }: { inputs: readonly VersionInput[]; open: readonly VersionInput[] },
): string[] {
  const missing = open.filter((input) => !supplied.some(({ Name }) => Name === input.Name));
  const found =
    missing.length > 0
      ? [`The schedule '${schedule}' cannot start the activity without a value for ${namesOf(missing)}`]
      : [];
  for (const one of supplied) {
    const input = inputs.find(({ Name }) => Name === one.Name);
    if (!input) {
      found.push(`The schedule '${schedule}' cannot start the activity: it has no input '${one.Name}'`);
      continue;
    }
    const issue = suppliedIssue(input, one);
    if (issue !== null) {
      found.push(`The value of '${one.Name}' in the schedule '${schedule}' cannot be used: ${issue}`);
    }
  }
  return found;
}

function suppliedIssue(input: VersionInput, { Value, RelativeDate }: ScheduleInput): string | null {
  if (RelativeDate !== null) return input.Info.CellUsages[0] === 'Date' ? null : 'The input is not a date';
  return Value === null ? null : presetIssue(input, Value);
}

const namesOf = (inputs: readonly VersionInput[]): string => inputs.map(({ Name }) => `'${Name}'`).join(', ');
