/** Rules for table views. Source: specification of activities, sections 5 and 9. */
import { DISPLAY_NAME_MAX, VIEW_NAME_MAX, type ViewColumn, type ViewUsage } from '../contract/tableviews.ts';

export interface TableViewIssue {
  field: 'TableName' | 'ViewName' | 'Columns' | 'RowCondition';
  message: string;
}

/** Returns Text for nvarchar, otherwise Number. */
function defaultUsage(dataType: string): ViewUsage {
  return dataType.toLowerCase().startsWith('nvarchar') ? 'Text' : 'Number';
}

/** Returns the settings of a column in a new view. */
export function newViewColumn({ ColumnName, DataType }: Pick<ViewColumn, 'ColumnName' | 'DataType'>): ViewColumn {
  return {
    ColumnName,
    DataType,
    DisplayName: ColumnName,
    CellUsage: defaultUsage(DataType),
    DisplayFormat: '',
    Selected: true,
  };
}

/** Removes surrounding blanks and truncates to the maximum length of a name. */
export const cleanViewName = (name: string): string => name.trim().slice(0, VIEW_NAME_MAX).trim();

export function tableViewIssues(view: {
  TableName: string;
  ViewName: string;
  Columns: readonly ViewColumn[];
}): TableViewIssue[] {
  const issues: TableViewIssue[] = [];
  if (view.TableName === '') issues.push({ field: 'TableName', message: 'Select a table' });
  if (cleanViewName(view.ViewName) === '') issues.push({ field: 'ViewName', message: 'View name must be provided' });
  const columns = columnsIssue(view.Columns);
  if (view.TableName !== '' && columns !== null) issues.push({ field: 'Columns', message: columns });
  return issues;
}

function columnsIssue(columns: readonly ViewColumn[]): string | null {
  if (!columns.some(({ Selected }) => Selected)) return 'Select at least one column';
  const twice = columns.find(({ ColumnName }, index) =>
    columns.slice(index + 1).some((other) => other.ColumnName === ColumnName),
  );
  if (twice) return `The column ${twice.ColumnName} appears twice`;
  const unnamed = columns.find(({ Selected, DisplayName }) => Selected && DisplayName.trim() === '');
  if (unnamed) return `Display name of ${unnamed.ColumnName} must be provided`;
  const long = columns.find(({ DisplayName }) => DisplayName.length > DISPLAY_NAME_MAX);
  return long ? `Display name of ${long.ColumnName} must not exceed ${DISPLAY_NAME_MAX} characters` : null;
}
