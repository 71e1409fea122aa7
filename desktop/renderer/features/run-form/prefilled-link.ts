/**
 * Links to a run form with values: '/activities/run/7/#Rate=0.05&Branch="North"'. Browsers do not send the part after
 * '#' to any server, so the values appear in no log. Anyone who has the link can read them.
 */
import { decodeInput, encodeInput, isFileInput, isFixed, type FormInput } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { wholeSpecification } from '#shared/codecs/input-form.ts';
import type { Forms } from './form-inputs.ts';

/** Programs that pass on longer addresses cut them off. */
export const MAX_LINK_LENGTH = 4000;

/**
 * True if the value may be stored outside the form. False for inputs that cannot be typed into, files, and values that
 * may open a database.
 */
export const isKeepable = (input: Input): boolean =>
  !isFixed(input) &&
  !isFileInput(input.Info) &&
  wholeSpecification(input.Info) !== 'Hidden' &&
  !input.Info.CellUsages.includes('ConnectionString');

/** Returns the part after the '#', with only the changed inputs. */
export function linkValues(inputs: readonly Input[], forms: Forms, changed: ReadonlySet<number>): string {
  const values = new URLSearchParams();
  for (const input of inputs) {
    const form = forms[input.Id];
    if (!form || !changed.has(input.Id) || !isKeepable(input)) continue;
    const [sent] = encodeInput(input, form);
    if (sent && sent.UseDefault !== true && typeof sent.Value === 'string') values.append(input.Name, sent.Value);
  }
  return values.toString();
}

/** Returns the forms of inputs that have values in the link. Values that do not fit or name no input are ignored. */
export function formsOfLink(inputs: readonly Input[], hash: string): Forms {
  const text = hash.replace(/^#/, '');
  if (text === '' || text.length > MAX_LINK_LENGTH) return {};
  const values = new URLSearchParams(text);
  return formsOfValues(
    inputs,
    [...values].map(([Name, Value]) => ({ Name, Value, UseDefault: false })),
  );
}

/** Returns the forms for values that are given by input name. */
export function formsOfValues(
  inputs: readonly Input[],
  values: readonly { Name: string; Value: string | null; UseDefault: boolean }[],
): Forms {
  const forms: Forms = {};
  for (const input of inputs) {
    const value = values.find(({ Name }) => Name === input.Name);
    if (!value || !isKeepable(input)) continue;
    const form = decoded(input, value);
    if (form) forms[input.Id] = form;
  }
  return forms;
}

function decoded(input: Input, { Value, UseDefault }: { Value: string | null; UseDefault: boolean }): FormInput | null {
  try {
    return decodeInput(input, [{ ActivityParameterId: input.Id, Value, UseDefault }]);
  } catch {
    // The input cannot have this shape, such as a list for a cell, so ignore the value.
    return null;
  }
}
