import type { Input } from '#shared/contract/parameters.ts';
import type { DraftInput } from '#renderer/features/run-form/draft/form-draft.ts';
import { fitsInput, isHiddenInput } from '#renderer/features/run-form/form-inputs.ts';
import { t } from '#renderer/language/translate.ts';

/** Compares the form with what was filled in. Returns a line for each input that is new, gone or of another kind. */
export function changesOfForm(form: readonly DraftInput[], inputs: readonly Input[]): string[] {
  const before = new Map(form.map((input) => [input.Name, input]));
  const asked = inputs.filter((input) => input.PresetValue === null && !isHiddenInput(input));
  const now = new Set(inputs.map(({ Name }) => Name));
  return [
    ...asked.filter(({ Name }) => !before.has(Name)).map(({ Name }) => t('{name} is new.', { name: Name })),
    ...form.filter(({ Name }) => !now.has(Name)).map(({ Name }) => t('{name} is no longer asked for.', { name: Name })),
    ...inputs
      .filter(({ Name, Info }) => before.has(Name) && !fitsInput({ ...Info, ...before.get(Name)!.Info }, Info))
      .map(({ Name }) => t('{name} now accepts other values, and your entry is not one of them.', { name: Name })),
  ];
}
