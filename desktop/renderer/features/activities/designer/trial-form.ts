/** The form of a design, for trying it out. */
import { encodeInput, isFileInput, type FormInput } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { tryDesign } from '#shared/contract/designs.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { fitsInput, type Forms } from '#renderer/features/run-form/form-inputs.ts';
import { listKey } from '#renderer/features/run-form/live-values.ts';
import { createRunForm, type RunFormState, type RunFormStore } from '#renderer/features/run-form/run-form-store.ts';
import { activityOf } from '../new/preview-activity.ts';

/**
 * If a list is not known here, the user types values: the activity does not exist yet, so nothing can be requested from
 * it. The server validates them.
 */
const withKnownLists = (input: Input, items: readonly (readonly string[] | null)[]): Input => ({
  ...input,
  Info: {
    ...input.Info,
    Pickers: input.Info.Pickers.map((picker, col) => {
      const isKnown = picker.Type === 'Condition' || (picker.Type === 'List' && items[col]);
      return isKnown ? picker : { Type: 'None', PreventOtherValues: false };
    }),
  },
});

/**
 * True if the input cannot be filled in here: files are sent to an activity, and conditions request columns from one.
 */
export const isFixedInTrial = ({ Info }: Input): boolean => isFileInput(Info) || Info.CellUsages.includes('Condition');

/** Creates the form of the current inputs, filled with what was typed into the previous form. */
export function createTrialForm(inputs: InspectedWorkbook['Inputs'], before: RunFormStore | null): RunFormStore {
  const shape = activityOf(inputs);
  const itemsOf = (index: number): readonly (readonly string[] | null)[] => inputs[index]!.Items ?? [];
  const Inputs = shape.Inputs.map((input, index) => withKnownLists(input, itemsOf(index)));
  const activity: Activity = { ...shape, Inputs };
  const store = createRunForm(activity, before ? typedForms(activity, before.getState()) : {}, {});
  const lists = Inputs.flatMap(({ Id }, index) =>
    itemsOf(index).flatMap((items, col) => (items ? [[listKey(Id, col), items] as const] : [])),
  );
  store.setState(({ live }) => ({ live: { ...live, lists: Object.fromEntries(lists) } }));
  return store;
}

function typedForms({ Inputs }: Activity, { activity, forms, changed }: RunFormState): Forms {
  const typed: Forms = {};
  for (const input of Inputs) {
    const former = activity.Inputs.find(({ Id, Name }) => Name === input.Name && changed.has(Id));
    if (former && fitsInput(former.Info, input.Info)) typed[input.Id] = forms[former.Id] as FormInput;
  }
  return typed;
}

/** Returns the values that were filled in. The server takes the values of the other inputs from the workbook. */
export function trialInputs({ activity, forms, changed }: RunFormState): BodyOf<typeof tryDesign>['Inputs'] {
  return activity.Inputs.filter((input) => changed.has(input.Id) && !isFixedInTrial(input)).flatMap((input) =>
    encodeInput(input, forms[input.Id]!)
      .filter(({ UseDefault }) => UseDefault !== true)
      .map(({ Value }) => ({ Name: input.Name, Value: Value ?? null })),
  );
}
