/** Preset values of inputs: saved all or none. */
import { AppError, type ModelState } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Person } from '#server/base/person.ts';
import type { PresetUpdate } from '#shared/contract/forms.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { ActivitiesService } from './activities-service.ts';
import type { ActivityAccess } from './activity-access.ts';
import { readPreset } from './preset-values.ts';
import { updatePreset } from './presets-repository.ts';
import type { VersionCatalog, VersionInput } from '#server/versions/version-catalog.ts';

export interface PresetsService {
  /** Answers the activity's inputs as they are now. AppError 400 names each input whose value is invalid. */
  update(person: Person, presets: readonly PresetUpdate[]): Promise<Input[]>;
}

export interface PresetsDeps {
  database: Database;
  access: ActivityAccess;
  versions: VersionCatalog;
  activities: ActivitiesService;
}

export function createPresetsService({ database, access, versions, activities }: PresetsDeps): PresetsService {
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
      await inTransaction(knex, async (trx) => {
        for (const [id, value] of values) await updatePreset(trx, id, value);
      });
      return activities.inputsFor(person, activity, version);
    },
  };
}

function readAll(inputs: readonly VersionInput[], presets: readonly PresetUpdate[]): Map<number, string | null> {
  const values = new Map<number, string | null>();
  const modelState: ModelState = {};
  for (const { Id, PresetValue } of presets) {
    const input = inputs.find((candidate) => candidate.Id === Id);
    if (!input) throw new AppError('inputNotFound', 404, 'There is no such input');
    const preset = readPreset(input, PresetValue);
    if ('issue' in preset) modelState[input.Name] = [preset.issue];
    else values.set(Id, preset.value);
  }
  const names = Object.keys(modelState);
  if (names.length === 0) return values;
  throw new AppError('presetsInvalid', 400, `Invalid preset values for ${names.join(', ')}`, { modelState });
}
