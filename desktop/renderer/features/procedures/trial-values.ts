/** The typed values with which a trial run calls a procedure. */
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { ProcedureColumn, ProcedureParameter, tryProcedure } from '#shared/contract/procedures.ts';
import { readCellText, cellProblem, type CellKind } from '#shared/codecs/cell-text.ts';
import { isBlankLine } from '#shared/rules/blank-rows.ts';
import { parseClipboardBlock } from '#renderer/features/run-form/grid/paste-block.ts';
import { personRegion } from '#renderer/language/region.ts';
import { said, t } from '#renderer/language/translate.ts';
import { isAsked, isTable } from './procedure-settings.ts';

type TrialValue = BodyOf<typeof tryProcedure>['Values'][number];

export interface TrialDraft {
  /** The value, unless the parameter is a table. */
  cell: FormCell;
  /** For a table: lines as copied from a sheet. */
  lines: string;
  isSkipped: boolean;
}

export type TrialDrafts = Readonly<Record<string, TrialDraft>>;

/** Returns what a cell of the type accepts. */
export const kindOf = ({ CellUsage: usage, DataType }: Pick<ProcedureColumn, 'CellUsage' | 'DataType'>): CellKind => ({
  usage,
  format: usage === 'Date' ? (/time/i.test(DataType) ? 'dd/mmm/yyyy hh:mm' : 'dd/mmm/yyyy') : 'General',
  maxSize: null,
  region: personRegion(),
  canAsk: true,
});

/** Returns an empty draft for each input parameter. A parameter with a default starts without a value. */
export function newDrafts(parameters: readonly ProcedureParameter[]): TrialDrafts {
  const asked = parameters.filter(isAsked);
  return Object.fromEntries(
    asked.map(({ Name, HasDefault, CellUsage: usage, Columns }) => [
      Name,
      { cell: usage === 'Boolean' && Columns.length === 0 ? false : null, lines: '', isSkipped: HasDefault === true },
    ]),
  );
}

/** Returns why a value cannot be sent; null if it can. */
export function draftIssue(parameter: ProcedureParameter, draft: TrialDraft): string | null {
  if (draft.isSkipped) return null;
  if (!isTable(parameter)) {
    const issue = cellProblem(draft.cell, kindOf(parameter));
    return issue === null ? null : said(issue);
  }
  for (const [index, row] of parseClipboardBlock(draft.lines).entries()) {
    if (isBlankLine(row)) continue;
    if (row.length !== parameter.Columns.length)
      return t('Line {index} has {rowCount} of {columnsCount, plural, one {# cell} other {# cells}}', {
        index: index + 1,
        rowCount: row.length,
        columnsCount: parameter.Columns.length,
      });
    for (const [at, text] of row.entries()) {
      const column = parameter.Columns[at]!;
      const issue = cellProblem(readCellText(text, kindOf(column)).cell, kindOf(column));
      if (issue !== null)
        return t('Line {index}, {name}: {issue}', { index: index + 1, name: column.Name, issue: said(issue) });
    }
  }
  return null;
}

export function trialValues(parameters: readonly ProcedureParameter[], drafts: TrialDrafts): TrialValue[] {
  return parameters.filter(isAsked).map((parameter) => {
    const draft = drafts[parameter.Name]!;
    return {
      Name: parameter.Name,
      LeftOut: draft.isSkipped,
      Value: draft.isSkipped ? null : valueOf(parameter, draft),
    };
  });
}

function valueOf(parameter: ProcedureParameter, { cell, lines }: TrialDraft): string | null {
  if (!isTable(parameter)) return cell === null || cell === '' ? null : JSON.stringify(cell);
  const { Columns } = parameter;
  const rows = rowsOf(lines).map((row) =>
    Columns.map((column, at) => {
      const { cell: read } = readCellText(row[at] ?? '', kindOf(column));
      return read === '' ? null : read;
    }),
  );
  return JSON.stringify(rows);
}

/** Blank lines are ignored: in the sheet they only separate groups of rows. */
const rowsOf = (lines: string): string[][] => parseClipboardBlock(lines).filter((row) => !isBlankLine(row));
