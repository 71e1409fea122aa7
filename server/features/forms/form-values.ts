/** Converts form values for the model of a form. They are parsed as for a start, but may be incomplete. */
import type { ModelState } from '#server/base/app-error.ts';
import type { FormInputValue } from '#server/executors/executor.ts';
import type { StoredFileRow } from '#server/files/stored-files.ts';
import { decodeInput, encodeInput, InputShapeError, isFileInput, isFixed } from '#shared/codecs/input-form.ts';
import type { Input, RunInputValue } from '#shared/contract/parameters.ts';

export interface SentValues {
  inputs: readonly Input[];
  values: readonly RunInputValue[];
  /** The stored files among the values, by id. */
  files: ReadonlyMap<string, StoredFileRow>;
}

/** The value of each input, or an error message if a value does not have the shape of its input. */
export type FormValues = { values: FormInputValue[] } | { message: string; modelState: ModelState };

export function formValues({ inputs, values, files }: SentValues): FormValues {
  const entries = Map.groupBy(values, (value) => value.ActivityParameterId);
  const read: FormInputValue[] = [];
  for (const input of inputs) {
    try {
      read.push(formValue(input, entries.get(input.Id) ?? [], files));
    } catch (error) {
      if (!(error instanceof InputShapeError)) throw error;
      return { message: error.message, modelState: { [input.Name]: [error.message] } };
    }
  }
  return { values: read };
}

function formValue(input: Input, entries: readonly RunInputValue[], files: SentValues['files']): FormInputValue {
  const { Name } = input;
  if (input.PresetValue !== null) {
    return { Name, value: input.PresetValueError === null ? input.PresetValue : null, fileNames: [] };
  }
  if (isFixed(input) || entries.length === 0) return { Name, value: null, fileNames: [] };
  const form = decodeInput(input, entries);
  if (isFileInput(input.Info)) {
    const names = form.files.flatMap(({ FileId }) => files.get(FileId)?.FileName ?? []);
    return { Name, value: null, fileNames: names };
  }
  return { Name, value: encodeInput(input, form)[0]?.Value ?? null, fileNames: [] };
}
