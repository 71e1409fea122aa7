/** Summarizes the comparison of many workbooks in lines of text. */
import type { FidelityReport } from '#server/calculation/fidelity-report.ts';

export interface FileResult {
  file: string;
  seconds: number;
  /** Reason why the file could not be compared at all. */
  error?: string;
  report?: FidelityReport;
}

/**
 * refused: the file could not be read or calculated. uncompared: it could, but it has no formulas or none of them could
 * be compared.
 */
export type FileKind = 'equal' | 'different' | 'uncompared' | 'refused';

type Count = [text: string, times: number];

const REASONS: Readonly<Record<FidelityReport['notComparedReasons'][number]['reason'], string>> = {
  Volatile: 'depend on time, chance or the computer',
  CircularReference: 'depend on a circular reference that has no value',
  Unsupported: 'call a function that cannot be calculated here; the saved value stays',
  ExternalLink: 'read another workbook whose values are not in the file; the saved value stays',
  NoSavedValue: 'have no saved value',
  LargeArray: 'fill more cells than are compared',
};

export function kindOf({ report }: Pick<FileResult, 'report'>): FileKind {
  if (!report) return 'refused';
  if (report.different > 0) return 'different';
  return report.formulas > 0 ? 'equal' : 'uncompared';
}

const MARKS: Readonly<Record<FileKind, string>> = { equal: '✓', different: '✗', uncompared: '–', refused: '!' };

/** Returns the line of one file. */
export function fileLine(result: FileResult): string {
  const { file, seconds, error, report } = result;
  const mark = MARKS[kindOf(result)];
  if (!report) return `${mark} ${file}: refused: ${error} (${seconds} s)`;
  const { equal, formulas, notCompared } = report;
  const compared = formulas > 0 ? `${equal} of ${formulas} equal` : 'no formula compared';
  const rest = notCompared > 0 ? `, ${notCompared} not compared` : '';
  const region = report.region === 'en-US' ? '' : `, ${report.region}`;
  return `${mark} ${file}: ${compared}${rest}${region} (${seconds} s)`;
}

export function summaryLines(results: readonly FileResult[]): string[] {
  const of = (kind: FileKind): number => results.filter((result) => kindOf(result) === kind).length;
  const reports = results.flatMap(({ report }) => report ?? []);
  const sum = (count: (report: FidelityReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  const formulas = sum((report) => report.formulas);
  const equal = sum((report) => report.equal);
  const notCompared = sum((report) => report.notCompared);
  const compared = of('equal') + of('different');
  const partly = reports.filter((report) => kindOf({ report }) === 'equal' && report.notCompared > 0).length;
  return [
    `Workbooks compared: ${compared} of ${results.length}`,
    `  all formulas compared equal: ${of('equal')} of ${compared} (${percent(of('equal'), compared)}), ` +
      `in ${partly} of them not all could be compared`,
    `  different: ${of('different')}`,
    `Without a compared formula: ${of('uncompared')}`,
    `Refused: ${of('refused')}`,
    `Formulas compared: ${formulas} of ${formulas + notCompared}`,
    `  equal: ${equal} of ${formulas} (${percent(equal, formulas)})`,
    `  different: ${formulas - equal}`,
    `Formulas not compared: ${notCompared}`,
    ...tally(
      reports.flatMap((report) => report.notComparedReasons.map((at): Count => [REASONS[at.reason], at.formulas])),
    ),
    'Reasons for the differences:',
    ...tally(
      reports.flatMap(({ cells }) =>
        cells.map(({ reason }): Count => [
          reason.startsWith('depends on ') ? 'depends on a cell that differs' : reason,
          1,
        ]),
      ),
    ),
    'Reasons for the refusals:',
    ...tally(results.flatMap(({ error }) => (error === undefined ? [] : [[error, 1] satisfies Count]))),
  ];
}

/** Returns one line per text with its total count, highest first. */
function tally(entries: readonly Count[]): string[] {
  const sums = new Map<string, number>();
  for (const [text, number] of entries) sums.set(text, (sums.get(text) ?? 0) + number);
  return [...sums].sort((a, b) => b[1] - a[1]).map(([text, times]) => `${String(times).padStart(8)}  ${text}`);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
}
