/** Saves preset values of inputs: either all of them or none. */
import { AppError, createModelState, type ModelState } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Person } from '#server/base/person.ts';
import type { PresetUpdate } from '#shared/contract/forms.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { isFixed } from '#shared/codecs/input-form.ts';
import { hasCalculatedRules } from '#shared/rules/live-form.ts';
import { isCalculatedList } from '#shared/rules/outside-list.ts';
import type { ActivitiesService } from './activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { inputsOf } from '#server/versions/version-views.ts';
import { readPreset } from '#server/versions/preset-values.ts';
import { updatePreset } from './presets-repository.ts';
import type { ActivityVersion, VersionCatalog, VersionInput } from '#server/versions/version-catalog.ts';

export interface PresetsService {
  /** Returns the activity's updated inputs. Throws an AppError 400 that names each input with an invalid value. */
  update(person: Person, presets: readonly PresetUpdate[]): Promise<Input[]>;
}

export interface PresetsDeps {
  /**
   * Returns, by input id, what calculated rules and calculated lists reject. Inputs without a preset use the workbook's
   * own values.
   */
  refusedByRules: (
    version: ActivityVersion,
    inputs: readonly Input[],
    userId: number,
  ) => Promise<ReadonlyMap<number, readonly string[]>>;
  database: Database;
  access: ActivityAccess;
  versions: VersionCatalog;
  activities: ActivitiesService;
}

export function createPresetsService(deps: PresetsDeps): PresetsService {
  const { database, access, versions, activities } = deps;
  const { knex } = database;
  return {
    update: async (person, presets) => {
      const { ActivityId } = presets[0]!;
      if (presets.some((preset) => preset.ActivityId !== ActivityId)) {
        throw new AppError('severalActivities', 400, 'Preset values are saved for one activity at a time');
      }
      const { activity } = await access.requireEdit(knex, person, ActivityId);
      const version = await versions.get(activity.Id, activity.Version);
      if (!version) throw new Error(`activity ${activity.Id} has no version ${activity.Version}`);
      const values = readAll(version.inputs, presets);
      const broken = await brokenRules(deps, person, version, values);
      await inTransaction(knex, async (trx) => {
        for (const [id, value] of values) await updatePreset(trx, id, value);
      });
      const inputs = await activities.inputsFor(person, activity, version);
      return inputs.map((input) => {
        const message = input.PresetValue === null ? undefined : broken.get(input.Id)?.[0];
        return message === undefined || input.PresetValueError !== null
          ? input
          : { ...input, PresetValueError: `With the workbook's own values of the other inputs: ${message}` };
      });
    },
  };
}

/**
 * Checks the presets against calculated rules and calculated lists and returns their messages by input id. Throws an
 * AppError 400 if no input is left to fill in, because then nobody can correct the form. Otherwise the remaining inputs
 * may still make the presets valid.
 */
async function brokenRules(
  { refusedByRules, activities }: PresetsDeps,
  person: Person,
  version: ActivityVersion,
  values: ReadonlyMap<number, string | null>,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const presets = new Map(await activities.presetsOf(version.ActivityId));
  for (const [id, value] of values) {
    if (value === null) presets.delete(id);
    else presets.set(id, value);
  }
  const inputs = inputsOf(version, () => true, presets);
  const isRuled = ({ Info }: Input): boolean => hasCalculatedRules(Info) || isCalculatedList(Info.Pickers[0]);
  if (presets.size === 0 || !inputs.some((input) => input.PresetValue !== null && isRuled(input))) return new Map();
  const refused = await refusedByRules(version, inputs, person.UserId);
  const broken = inputs.filter(({ Id, PresetValue }) => PresetValue !== null && refused.has(Id));
  if (broken.length === 0 || inputs.some((input) => !isFixed(input))) return refused;
  throw presetsInvalid(Object.fromEntries(broken.map(({ Id, Name }) => [Name, [...new Set(refused.get(Id))]])));
}

function presetsInvalid(modelState: ModelState): AppError {
  const names = Object.keys(modelState).join(', ');
  return new AppError('presetsInvalid', 400, `Invalid preset values for ${names}`, { modelState });
}

function readAll(inputs: readonly VersionInput[], presets: readonly PresetUpdate[]): Map<number, string | null> {
  const values = new Map<number, string | null>();
  const modelState = createModelState();
  for (const { Id, PresetValue } of presets) {
    const input = inputs.find((candidate) => candidate.Id === Id);
    if (!input) throw new AppError('inputNotFound', 404, 'There is no such input');
    const preset = readPreset(input, PresetValue);
    if ('issue' in preset) modelState[input.Name] = [preset.issue];
    else values.set(Id, preset.value);
  }
  if (Object.keys(modelState).length === 0) return values;
  throw presetsInvalid(modelState);
}
