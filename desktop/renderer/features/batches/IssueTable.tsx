import { HTMLTable } from '@blueprintjs/core';
import { numberText } from '#renderer/language/numbers.ts';
import { said, t } from '#renderer/language/translate.ts';
import './batches.css';

interface IssueTableProps {
  /** The first issues. */
  issues: readonly { Cell: string; Column: string; Message: string }[];
  /** Number of all issues. */
  count: number;
}

/** Lists the cells of a file that are invalid, and why. */
export function IssueTable({ issues, count }: IssueTableProps) {
  return (
    <>
      <div className="rs-batch-issues" tabIndex={0} role="group" aria-label={t('Invalid cells')}>
        <HTMLTable compact bordered aria-label={t('Invalid cells')}>
          <thead>
            <tr>
              <th scope="col">{t('Cell')}</th>
              <th scope="col">{t('Column')}</th>
              <th scope="col">{t('Problem')}</th>
            </tr>
          </thead>
          <tbody>
            {issues.map(({ Cell, Column, Message }, at) => (
              <tr key={at}>
                <td>{Cell}</td>
                <td>{Column}</td>
                <td>{said(Message)}</td>
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </div>
      {count > issues.length && (
        <p className="rs-muted">
          {t('These are the first {count} of {total}.', { count: issues.length, total: numberText(count) })}
        </p>
      )}
    </>
  );
}
