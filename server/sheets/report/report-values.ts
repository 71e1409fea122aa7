/** The inputs and outputs of a run as a report shows them: in the order and with the notes of the page of the run. */
import { isFileUsage, wholeSpecification } from '#shared/codecs/input-form.ts';
import { valueRows } from '#shared/codecs/format-value.ts';
import { isFileValue, isSingleValue, tableOfValue, type ValueTable } from '#shared/codecs/value-table.ts';
import type { InputInfo, OutputInfo, RunInput } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { htmlText } from './html-text.ts';
import type { ReportWords } from './report-words.ts';

export interface ReportValue {
  id: number;
  name: string;
  /**
   * - figure: a single value, shown large in the result. listed: a text beside the name. muted: a note in place of a
   *   value.
   */
  kind: 'figure' | 'listed' | 'muted' | 'table';
  /** '' for a table. */
  text: string;
  table: ValueTable | null;
  /** True if the author of the workbook chose to plot it. */
  isPlotted: boolean;
}

interface Value {
  id: number;
  name: string;
  info: InputInfo | OutputInfo;
  json: string | null;
  /** Shown instead of a value. */
  note: string;
  files: readonly string[];
}

export const reportOutputs = (run: ActivityRun, words: ReportWords): ReportValue[] =>
  run.Outputs.map(({ Id, Name, Info, Value }) => {
    const files = run.StoredFiles.filter(({ ActivityParameterId }) => ActivityParameterId === Id);
    const note = Value === null && !isFileUsage(Info.CellUsages[0]) ? words.text('no value') : '';
    const value = { id: Id, name: Name, info: Info, json: Value, note, files: files.map(({ FileName }) => FileName) };
    return { ...reportValue(value, words), isPlotted: Info.Plot === true };
  });

/** Preset values and hidden inputs are omitted, as on the page of the run. */
export function reportInputs(run: ActivityRun, words: ReportWords): ReportValue[] {
  const byParameter = Map.groupBy(
    run.Inputs.filter((input) => !input.HasPresetValue && wholeSpecification(input.ParameterInfo) !== 'Hidden'),
    (input) => input.ActivityParameterId,
  );
  return [...byParameter].map(([id, entries]) => {
    const [first] = entries as [RunInput, ...RunInput[]];
    const files = entries.flatMap(({ FileName }) => (FileName === null ? [] : [FileName]));
    const note = inputNote(first, run.Type, words);
    return reportValue({ id, name: first.Name, info: first.ParameterInfo, json: first.Value, note, files }, words);
  });
}

function inputNote({ UseDefault, Value, FileName }: RunInput, type: ActivityRun['Type'], words: ReportWords): string {
  if (!UseDefault || Value !== null || FileName !== null) return '';
  return words.text(type === 'StoredProcedure' ? 'the default of the procedure' : 'the value of the workbook');
}

function reportValue({ id, name, info, json, note, files }: Value, words: ReportWords): ReportValue {
  const one = (kind: ReportValue['kind'], text: string): ReportValue => ({
    id,
    name,
    kind,
    text,
    table: null,
    isPlotted: false,
  });
  if (note !== '') return one('muted', note);
  if (isFileValue(info))
    return files.length > 0 ? one('listed', files.join('\n')) : one('muted', words.text('no file'));
  if (!isSingleValue(info)) return { ...one('table', ''), table: tableOfValue(json, info, name, words.show) };
  const text = words.show(valueRows(json)[0]?.[0], info.Formats[0], info.CellUsages[0]);
  if (text === '') return one('muted', words.text('blank'));
  if (info.CellUsages[0] !== 'Html') return one('figure', text);
  return one('listed', `${htmlText(text)}\n(${words.text('text without its formatting')})`);
}
