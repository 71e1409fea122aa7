/** The security matrix as workbooks. */
import type { Person } from '#server/base/person.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import type { downloadInternetRights, downloadUserRights } from '#shared/contract/security.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { TableWorkbookBuilder } from '#server/sheets/table-workbook-builder.ts';

type UserRow = BodyOf<typeof downloadUserRights>[number];
type InternetRow = BodyOf<typeof downloadInternetRights>[number];

export interface SecurityMatrixDownloads {
  /** Both methods return a file token. */
  userRights(person: Person, rows: readonly UserRow[]): Promise<string>;
  internetRights(person: Person, rows: readonly InternetRow[]): Promise<string>;
}

export function createSecurityMatrixDownloads(
  files: Pick<FilesService, 'tokenForNew'>,
  workbooks: TableWorkbookBuilder,
): SecurityMatrixDownloads {
  async function build(person: Person, name: string, headers: string[], rows: unknown[][]): Promise<string> {
    const info = {
      RangeType: 'RangeWithColumnHeaders' as const,
      CellUsages: headers.map(() => 'Text' as const),
      ColumnHeaderValues: headers,
      RowHeaderValues: [],
      Formats: headers.map(() => ''),
    };
    const source = { name, info, value: JSON.stringify(rows), rowIndices: null };
    return files.tokenForNew(person, `${name}.xlsx`, await workbooks.build(source));
  }

  return {
    userRights: (person, rows) =>
      build(
        person,
        'User Security Matrix',
        ['User Full Name', 'User Name', 'Right Name', 'Scope', 'Access', 'Source'],
        rows.map((row) => [
          row.UserFullName,
          row.UserName,
          row.RightName,
          scopeText(row),
          accessText(row),
          row.Souce ?? '',
        ]),
      ),
    internetRights: (person, rows) =>
      build(
        person,
        'Internet Security Matrix',
        ['Right Name', 'Scope', 'Access'],
        rows.map((row) => [row.RightName, scopeText(row), accessText(row)]),
      ),
  };
}

function scopeText({ KeyColumnName, KeyColumnValue }: InternetRow): string {
  return KeyColumnName === '' ? 'All' : `${KeyColumnName} : ${KeyColumnValue}`;
}

const accessText = ({ Access }: InternetRow): string => (Access ? 'Yes' : 'No');
