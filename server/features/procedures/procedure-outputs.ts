/** Converts the results of a procedure to outputs of an activity. */
import { NO_CELLS, type OutputDefinition } from '#server/executors/activity-definition.ts';
import type { ProcedureParameter } from '#server/base/procedure-types.ts';
import type { DeclaredResult, PinnedProcedure } from '#server/executors/procedure-definition.ts';
import type { OutputInfo } from '#shared/contract/parameters.ts';
import type { ResultSettings } from '#shared/contract/procedure-settings.ts';
import { formatOf, outputUsage, rangeTypeOf } from './parameter-shapes.ts';

const CELL: OutputInfo = {
  RangeType: 'SingleCell',
  CellUsages: ['Number'],
  CalculateImmediately: false,
  SqlNames: [],
  HeaderRows: 0,
  HeaderCols: 0,
  RowsVariable: false,
  ColumnHeaderValues: [],
  RowHeaderValues: [],
  Formats: ['General'],
};

const output = (Name: string, Description: string, Info: Partial<OutputInfo>): OutputDefinition => ({
  Name,
  Description,
  Info: { ...CELL, ...Info },
  location: NO_CELLS,
});

const table = (columns: readonly { name: string; usage: OutputInfo['CellUsages'][number]; format: string }[]) => ({
  RangeType: 'RangeWithColumnHeaders' as const,
  CellUsages: columns.map(({ usage }) => usage),
  HeaderRows: 1,
  RowsVariable: true,
  ColumnHeaderValues: columns.map(({ name }, index) => (name === '' ? `Column${index + 1}` : name)),
  Formats: columns.map(({ format }) => format),
});

export function parameterOutput({ type }: ProcedureParameter, Name: string, description: string): OutputDefinition {
  if (rangeTypeOf(type) === 'SingleCell') {
    const usage = type.kind === 'File' ? 'FilePath' : outputUsage(type);
    return output(Name, description, { CellUsages: [usage], Formats: [formatOf(type)] });
  }
  const columns = type.columns.map((column) => ({
    name: column.name,
    usage: outputUsage(column.type),
    format: formatOf(column.type),
  }));
  return output(Name, description, table(columns));
}

export const returnCodeOutput = (Name: string): OutputDefinition =>
  output(Name, 'What the procedure returned: 0 where all went well', {});

const DAY_AND_TIME = 'yyyy-mm-dd hh:mm:ss';

/**
 * Returns the declared result sets by position: those of the settings if there are any, otherwise those that the
 * database reports.
 */
export function declaredResults(
  { results }: Pick<PinnedProcedure, 'results'>,
  settings: readonly ResultSettings[] | null,
): { declared: (DeclaredResult | null)[]; outputs: OutputDefinition[] } {
  const count = settings?.length ?? results.length;
  const outputs: OutputDefinition[] = [];
  const declared = Array.from({ length: count }, (_, index): DeclaredResult | null => {
    const said = settings?.[index];
    const known = results[index] ?? null;
    const columns =
      said?.Columns.map(({ Name, CellUsage }) => ({ name: Name, usage: CellUsage })) ??
      known?.map(({ name, type }) => ({ name, usage: outputUsage(type) }));
    if (!columns || columns.length === 0) return null;
    const Name = said?.DisplayName.trim() || `Result${index + 1}`;
    const shown = columns.map((column) => ({ ...column, format: columnFormat(column, known) }));
    outputs.push(output(Name, '', table(shown)));
    return { output: Name, columns };
  });
  return { declared, outputs };
}

function columnFormat(
  { name, usage }: { name: string; usage: string },
  known: PinnedProcedure['results'][number],
): string {
  if (usage !== 'Date') return 'General';
  const column = known?.find((one) => one.name === name);
  return column ? formatOf(column.type) : DAY_AND_TIME;
}
