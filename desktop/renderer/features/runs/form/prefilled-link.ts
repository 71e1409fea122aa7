/**
 * Links to a run form with values in it: '/activities/run/7/#Rate=0.05&Branch="North"'. The values stand behind the '#', which browsers
 * send to no server, so that they are in no log; whoever has the link reads them.
 */
import { decodeInput, encodeInput, isFileInput, isFixed, type FormInput } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { wholeSpecification } from '#shared/codecs/input-form.ts';
import type { Forms } from './form-inputs.ts';

/** Longer addresses are cut by programs that pass them on. */
export const LONGEST_LINK = 4000;

/** What a form may keep elsewhere: nothing that is not typed into it, no files, and nothing that may open a database. */
export const isKeepable = (input: Input): boolean =>
  !isFixed(input) &&
  !isFileInput(input.Info) &&
  wholeSpecification(input.Info) !== 'Hidden' &&
  !input.Info.CellUsages.includes('ConnectionString');

/** What is behind the '#'; the inputs that were changed alone. */
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

/** The forms of the inputs that a link has values for; what does not fit, or names no input, is passed over. */
export function formsOfLink(inputs: readonly Input[], hash: string): Forms {
  const text = hash.replace(/^#/, '');
  if (text === '' || text.length > LONGEST_LINK) return {};
  const values = new URLSearchParams(text);
  return formsOfValues(
    inputs,
    [...values].map(([Name, Value]) => ({ Name, Value, UseDefault: false })),
  );
}

/** The forms of values by the names of their inputs. */
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
    // A value of a shape that the input cannot have, such as a list for a cell, is as good as none.
    return null;
  }
}
