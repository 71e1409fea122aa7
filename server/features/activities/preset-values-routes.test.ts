/** Tests preset values with a real database and the real executor. */
import { describe, expect } from 'vitest';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { ActivityRun, RunState, StartResult } from '#shared/contract/runs.ts';
import { test as base } from '#test/support/fixtures/form-portal.ts';
import { inputOf, ORDER, value } from '#test/support/form-portal.ts';
import { until } from '#test/support/until.ts';

const test = base.extend(
  'save',
  { scope: 'file' },
  ({ portal: { editor, call } }) =>
    (activity: Activity, presets: Record<string, unknown>, headers = editor.headers) =>
      call(
        'POST',
        'updatepresetvals',
        Object.entries(presets).map(([name, given]) => ({
          Id: inputOf(activity, name).Id,
          ActivityId: activity.Id,
          PresetValue: given === null ? null : JSON.stringify(given),
        })),
        headers,
      ),
);

describe('preset values', () => {
  test('are parsed, cleared where empty, and answered', async ({ portal: { publish, details }, save }) => {
    const activity = await publish(ORDER, 'Presets');
    const saved = await save(activity, { Quantity: '12.5', Paid: 'false' });
    expect(saved.status).toBe(200);
    const stored = (saved.body.result as Input[]).map(({ Name, PresetValue }) => [Name, PresetValue]);
    expect(stored).toEqual([
      ['Quantity', '12.5'],
      ['Price', null],
      ['Branch', null],
      ['Paid', 'false'],
    ]);
    await save(activity, { Quantity: '' });
    expect(inputOf(await details(activity.Id), 'Quantity').PresetValue).toBeNull();
  });

  test('that are invalid are named, and nothing is saved', async ({ portal: { publish, details }, save }) => {
    const activity = await publish(ORDER, 'Invalid');
    const answer = await save(activity, { Quantity: 'many', Paid: 'perhaps', Price: 3 });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      message: 'Invalid preset values for Quantity, Paid',
      modelState: { Quantity: ['Value must be a number'], Paid: ['Please choose a valid value.'] },
    });
    expect(inputOf(await details(activity.Id), 'Price').PresetValue).toBeNull();
  });

  test('are the editor’s to save', async ({ portal: { publish, runner }, save }) => {
    const activity = await publish(ORDER, 'Mine');
    expect((await save(activity, { Quantity: 1 }, runner.headers)).status).toBe(403);
  });

  test('go into runs and forms, whatever the form sends', async ({ portal: { publish, ask, call }, save }) => {
    const activity = await publish(ORDER, 'Runs');
    await save(activity, { Quantity: 100 });
    const form = await ask(activity, { Inputs: [value(activity, 'Quantity', 1)] });
    expect(form.body.result.Outputs[0].Value).toBe('300');
    const started = await call('POST', 'start', {
      ActivityId: activity.Id,
      ActivityVersion: 1,
      UniqueId: null,
      Inputs: [value(activity, 'Quantity', 1), value(activity, 'Branch', 'North 100')],
    });
    const { Id } = started.body.result as StartResult;
    await until('the run has ended', async () => {
      const state = (await call('POST', `status/${Id}`, [])).body.result as RunState;
      return state.Status === 'Succeeded';
    });
    const run = (await call('GET', `status/${Id}?activity=true`)).body.result as ActivityRun;
    expect(run.Outputs.find(({ Name }) => Name === 'Sum')!.Value).toBe('300');
    expect(run.Inputs.find(({ Name }) => Name === 'Quantity')).toMatchObject({
      Value: '100',
      HasPresetValue: true,
      UseDefault: false,
    });
  });

  test('stay over versions, and say where they no longer fit', async ({ portal: { publish, call }, save }) => {
    const activity = await publish(ORDER, 'Versions');
    await save(activity, { Quantity: 100 });
    const changed = structuredClone(ORDER);
    changed.sheets[0]!.validations!.push({ ref: 'A1', type: 'list', formula1: '"5,6"' });
    const next = await publish(changed, 'Versions', activity.Id);
    const input = inputOf(next, 'Quantity');
    expect(input).toMatchObject({
      PresetValue: '100',
      PresetValueError: 'The preset value does not fit this version: Please choose a valid value.',
    });
    const started = await call('POST', 'start', {
      ActivityId: activity.Id,
      ActivityVersion: 2,
      UniqueId: null,
      Inputs: [value(next, 'Branch', 'North 5')],
    });
    expect(started.body.modelState['Quantity']).toEqual([input.PresetValueError]);
  });
});
