/** The inputs and outputs of a run for display, with the calls for their downloads. */
import { isFileUsage, wholeSpecification } from '#shared/codecs/input-form.ts';
import type { RunInput } from '#shared/contract/parameters.ts';
import {
  downloadInputData,
  downloadInputFileAt,
  downloadOutputData,
  downloadOutputFileAt,
  type ActivityRun,
} from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { inputNote } from './input-note.ts';
import type { ShownFile, ShownValue } from '#renderer/ui/values/ValuesView.tsx';

/**
 * Returns the inputs that the user supplied; preset values are omitted.
 * @param noFiles true if the user may not download input files
 */
export function shownInputs(run: ActivityRun, noFiles = false): ShownValue[] {
  const byParameter = Map.groupBy(
    run.Inputs.filter((input) => !input.HasPresetValue && wholeSpecification(input.ParameterInfo) !== 'Hidden'),
    (input) => input.ActivityParameterId,
  );
  return [...byParameter].map(([id, entries]) => ({
    id,
    name: entries[0]!.Name,
    description: '',
    info: entries[0]!.ParameterInfo,
    json: entries[0]!.Value,
    note: inputNote(entries[0]!, run.Type),
    ...(entries[0]!.Formula === undefined ? {} : { formula: entries[0]!.Formula }),
    files: entries.filter((entry) => entry.FileName !== null).map((entry) => inputFile(run.Id, entry, noFiles)),
    tableToken: (rows) =>
      call(downloadInputData, { params: { runId: run.Id, parameterId: id }, body: { FilteredRowIndices: rows } }),
  }));
}

const inputFile = (runId: number, entry: RunInput, noFiles: boolean): ShownFile => ({
  name: entry.FileName!,
  size: entry.ContentLength,
  token: noFiles
    ? null
    : () => {
        const params = { runId, parameterId: entry.ActivityParameterId, index: entry.ArrayIndex };
        return call(downloadInputFileAt, { params });
      },
});

export function shownOutputs(run: ActivityRun): ShownValue[] {
  return run.Outputs.map((output) => ({
    id: output.Id,
    name: output.Name,
    description: output.Description,
    info: output.Info,
    json: output.Value,
    note: output.Value === null && !isFileUsage(output.Info.CellUsages[0]) ? t('no value') : '',
    files: run.StoredFiles.filter((file) => file.ActivityParameterId === output.Id).map((file) => ({
      name: file.FileName,
      size: file.ContentLength,
      documentId: file.DocumentId,
      token: () => {
        const params = { runId: run.Id, parameterId: output.Id, index: file.ArrayIndex };
        return call(downloadOutputFileAt, { params });
      },
    })),
    tableToken: (rows) =>
      call(downloadOutputData, {
        params: { runId: run.Id, parameterId: output.Id },
        body: { FilteredRowIndices: rows },
      }),
  }));
}

/** True if there is more than one file, or an output is a file. Source: specification of activities, section 9. */
export const offersAllFiles = (run: ActivityRun): boolean =>
  run.StoredFileNames.length > 1 || run.Outputs.some((output) => output.Info.CellUsages.includes('FilePath'));
