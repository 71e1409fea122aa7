/** Tests forms that are being filled in, with a real database and the real executor. */
import { describe, expect } from 'vitest';
import type { Activity } from '#shared/contract/activities.ts';
import type { UpdateUiResult } from '#shared/contract/forms.ts';
import type { StartResult } from '#shared/contract/runs.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { inputOf, ORDER, value } from '#test/support/form-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const test = base.extend('forms', { scope: 'file' }, ({ portal: { call, editor, ended } }) => {
  const start = (activity: Activity, quantity: number) =>
    call('POST', 'start', {
      ActivityId: activity.Id,
      ActivityVersion: 1,
      UniqueId: null,
      Inputs: [value(activity, 'Quantity', quantity), value(activity, 'Paid', true)],
    });

  const preset = (activity: Activity, branch: string) =>
    call(
      'POST',
      'updatepresetvals',
      [{ Id: inputOf(activity, 'Branch').Id, ActivityId: activity.Id, PresetValue: JSON.stringify(branch) }],
      editor.headers,
    );

  return { ended, start, preset };
});

describe('updateui', () => {
  test('answers suggestions, lists and immediate outputs for what was typed', async ({
    portal: { publish, ask, editor },
  }) => {
    const activity = await publish(ORDER, 'Order');
    const first = await ask(activity, { Inputs: [value(activity, 'Quantity', 4)], ChangedInputIndex: 0 });
    const { UniqueId, ...result } = first.body.result as UpdateUiResult;
    expect(result).toMatchObject({
      Inputs: [{ ActivityParameterId: inputOf(activity, 'Price').Id, ColumnIndex: null, Value: '8' }],
      InputPickerValues: [{ ActivityParameterId: inputOf(activity, 'Branch').Id, ColumnIndex: 0, Items: ['North 4'] }],
      StoredFileNames: [],
      Outputs: [{ Name: 'Sum', Value: '12' }],
    });
    const again = await ask(activity, { UniqueId, Inputs: [value(activity, 'Quantity', 5)] });
    expect(again.body.result).toMatchObject({ UniqueId, Outputs: [{ Value: '15' }] });
    // Another person's form with the same id is independent.
    const theirs = await ask(activity, { UniqueId }, editor.headers);
    expect(theirs.body.result.Outputs[0].Value).toBe('30');
  });

  test('refuses what no form sends', async ({ portal: { publish, ask, app } }) => {
    const activity = await publish(ORDER, 'Refused');
    expect((await ask(activity, { ChangedInputIndex: 9 })).status).toBe(400);
    const table = (length: number) => ask(activity, { Inputs: [value(activity, 'Quantity', Array(length).fill(1))] });
    const [short, long] = [await table(1), await table(1_000_001)];
    expect([short.status, long.status]).toEqual([400, 400]);
    expect(long.body.modelState).toEqual(short.body.modelState);
    expect((await ask(activity, { ActivityVersion: 7 })).status).toBe(404);
    const stranger = await signedInUser(app);
    expect((await ask(activity, {}, stranger.headers)).status).toBe(403);
  });

  test('and a start agree on what a calculated list allows', async ({ portal: { publish, call } }) => {
    const activity = await publish(ORDER, 'Strict');
    const start = (branch: string) =>
      call('POST', 'start', {
        ActivityId: activity.Id,
        ActivityVersion: 1,
        UniqueId: null,
        Inputs: [value(activity, 'Quantity', 3), value(activity, 'Branch', branch), value(activity, 'Paid', true)],
      });
    expect((await start('North 10')).body.modelState).toEqual({ Branch: ['Please choose a valid value.'] });
    expect((await start('North 3')).status).toBe(200);
  });

  test('calculates no list that depends on itself, and neither does a run, which takes no value without it', async ({
    portal: { publish, ask, call },
    forms: { ended },
  }) => {
    const cells = {
      ...ORDER.sheets[0]!.cells,
      B1: { formula: '"North "&B9' },
      B9: { formula: 'B10' },
      B10: { formula: 'B9' },
    };
    const [sheet, outputs] = ORDER.sheets;
    const activity = await publish({ ...ORDER, sheets: [{ ...sheet!, cells }, outputs!] }, 'Circular');
    expect((await ask(activity, {})).status).toBe(422);
    const started = await call('POST', 'start', {
      ActivityId: activity.Id,
      ActivityVersion: 1,
      UniqueId: null,
      Inputs: [value(activity, 'Branch', 'South'), value(activity, 'Paid', true)],
    });
    expect(started.status).toBe(200);
    const run = await ended((started.body.result as StartResult).Id);
    expect(run.Status).toBe('LogicError');
    expect(run.LogEntries[0]!.Message).toBe('Formulas depend on themselves: S!B9, S!B10');
    expect(run.Outputs[0]!.Value).toBeNull();
  });
});

describe('a preset that the list of a formula does not offer', () => {
  test('is reported when it is saved, and starts nothing', async ({
    portal: { publish },
    forms: { preset, start, ended },
  }) => {
    const activity = await publish(ORDER, 'Preset');
    const saved = await preset(activity, 'North 4');
    // The workbook's own quantity is 10; the person who starts the run may enter another one.
    expect(inputOf({ ...activity, Inputs: saved.body.result }, 'Branch').PresetValueError).toBe(
      "With the workbook's own values of the other inputs: Please choose a valid value.",
    );
    expect((await start(activity, 5)).body.modelState).toEqual({ Branch: ['Please choose a valid value.'] });
    expect(await ended(((await start(activity, 4)).body.result as StartResult).Id)).toMatchObject({
      Status: 'Succeeded',
    });
    const right = await preset(activity, 'North 10');
    expect(inputOf({ ...activity, Inputs: right.body.result }, 'Branch').PresetValueError).toBeNull();
  });
});
