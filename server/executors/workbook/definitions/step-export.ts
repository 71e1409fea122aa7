/** Checks the Export step of the Portal sheet. */
import { heightOf, widthOf } from './blocks.ts';
import { delimiterOf } from './delimiter.ts';
import { sameName } from './parameters.ts';
import { checkArea } from './step-scope.ts';
import type { StepScope } from './step-scope.ts';
import { placeholders } from '#server/executors/file-name.ts';

const EXPORT_FORMATS = ['xlsx', 'csv', 'pdf'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Returns the format that the step states, otherwise that of the file name, otherwise .xlsx. */
export function exportFormat(options: Readonly<Record<string, string>>): ExportFormat {
  const said = options['Format'] ?? /\.([^.]+)$/.exec(options['FileName'] ?? '')?.[1] ?? '';
  return EXPORT_FORMATS.find((format) => format === said.toLowerCase()) ?? 'xlsx';
}

export function checkExport(scope: StepScope): void {
  const { reader, options, outputs, capabilities, step } = scope;
  reader.choice('Format', EXPORT_FORMATS);
  const format = exportFormat(options);
  checkArea(scope, 'Range');
  if (format === 'csv' && options['Range'] === undefined)
    reader.addProblem(
      'Range',
      `The step '${step}' creates a csv file, which can contain only one range.`,
      'Enter the Range, or use xlsx.',
    );
  if (format === 'pdf' && !capabilities.pdf)
    reader.addProblem(
      options['Format'] === undefined ? 'FileName' : 'Format',
      `The step '${step}' creates a PDF file, but this server has no PDF converter.`,
      'Use xlsx, or ask an administrator to install LibreOffice.',
    );
  const { Output, Delimiter } = options;
  const output = Output === undefined ? undefined : outputs.find(({ name }) => sameName(name, Output, 'output'));
  if (Output !== undefined && !output)
    reader.addProblem(
      'Output',
      `There is no output '${Output}'.`,
      'Name a cell for the file out_…, and enter that name.',
    );
  if (output && heightOf(output.area.block) * widthOf(output.area.block) > 1)
    reader.addProblem(
      'Output',
      `The output '${output.name}' is more than one cell.`,
      'Use a single cell for the output of a file.',
    );
  if (Delimiter !== undefined && delimiterOf(Delimiter) === null)
    reader.addProblem('Delimiter', `'${Delimiter}' is not a valid delimiter.`, 'Enter one character, or Tab.');
  if (options['FileNameCell'] === undefined) checkTemplate(scope, options['FileName'] ?? '');
}

function checkTemplate({ reader, inputs, outputs }: StepScope, template: string): void {
  for (const name of placeholders(template)) {
    const known =
      inputs.find((draft) => sameName(draft.name, name, 'input')) ??
      outputs.find((draft) => sameName(draft.name, name, 'output'));
    if (!known)
      reader.addProblem('FileName', `There is no input or output '${name}' for {${name}}.`, 'Use {Name of an input}.');
  }
}
