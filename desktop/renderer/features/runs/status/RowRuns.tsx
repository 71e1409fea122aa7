import { Button } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ROWS_FORMATS } from '#shared/contract/checklist-rows.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { said, t } from '#renderer/language/translate.ts';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import './row-runs.css';

/** The run of a row: from a workflow step, or from a table for which a workbook started it. */
export interface RowRun {
  Id: number;
  RowKey: string;
  Status: RunStatus;
  EndTime: string | null;
  /** What went wrong; '' if nothing did. */
  Message: string;
  /** True if the user may see the run. */
  CanView: boolean;
}

interface RowRunsProps<R extends RowRun> {
  rows: readonly R[];
  /** Returns the display name of a row that the portal named; else its key. */
  keyText?: ((key: string) => string) | undefined;
  /** Shown beside the name. */
  renderAbout: (row: R) => ReactNode;
  /** Actions for the row. */
  renderActions?: (row: R) => ReactNode;
}

export function RowRuns<R extends RowRun>({ rows, keyText = String, renderAbout, renderActions }: RowRunsProps<R>) {
  return (
    <table className="rs-row-runs">
      <thead>
        <tr>
          <th scope="col">{t('Row')}</th>
          <th scope="col">{t('Status')}</th>
          <th scope="col">{t('Ended')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.Id}>
            <td>
              {row.CanView ? (
                <Link to={`/activities/runstatus/${row.Id}/`}>{keyText(row.RowKey)}</Link>
              ) : (
                keyText(row.RowKey)
              )}
              {renderAbout(row)}
              {row.Message !== '' && <div className="rs-row-note">{said(row.Message)}</div>}
              {renderActions?.(row)}
            </td>
            <td>
              <StatusTag status={row.Status} />
            </td>
            <td>{row.EndTime !== null && <DateText value={row.EndTime} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RowFilesProps {
  tables: readonly string[];
  /** Resolves with the token of the file. */
  download: (table: string, format: (typeof ROWS_FORMATS)[number]) => Promise<string>;
}

/** The outputs of all rows as one table, in each format. */
export function RowFiles({ tables, download }: RowFilesProps) {
  return (
    <div className="rs-row-files">
      {tables.flatMap((table) =>
        ROWS_FORMATS.map((format) => (
          <Button
            key={`${table} ${format}`}
            size="small"
            icon={<Download />}
            text={`${table}.${format}`}
            onClick={() => void startDownload(download(table, format))}
          />
        )),
      )}
    </div>
  );
}
