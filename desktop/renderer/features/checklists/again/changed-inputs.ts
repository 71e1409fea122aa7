/** Finds the inputs of an earlier run that a person has changed. */
import { encodeInput, initialFormInput } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { Forms } from '#renderer/features/run-form/form-inputs.ts';

/** Returns the names of the inputs whose values differ from those of the earlier run. */
export function changedInputs(inputs: readonly Input[], earlier: Forms, now: Forms): string[] {
  return inputs.flatMap((input) => {
    const [before, form] = [earlier[input.Id] ?? initialFormInput(input), now[input.Id]];
    if (!form || form === before) return [];
    const isSame = JSON.stringify(encodeInput(input, before)) === JSON.stringify(encodeInput(input, form));
    return isSame ? [] : [input.Name];
  });
}
