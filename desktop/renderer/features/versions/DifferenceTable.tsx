import { Button, HTMLTable } from '@blueprintjs/core';
import { useState } from 'react';
import type { FidelityDifference } from '#shared/contract/fidelity.ts';
import { said, t } from '#renderer/language/translate.ts';

/** Number of differences shown at first; a button shows the rest. */
const SHOWN = 50;

/** A plain table, so that reasons and formulas are fully readable and only the page scrolls. */
export function DifferenceTable({ differences }: { differences: readonly FidelityDifference[] }) {
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? differences : differences.slice(0, SHOWN);
  return (
    <>
      <HTMLTable compact bordered className="rs-differences" aria-label={t('Different values')}>
        <thead>
          <tr>
            <th scope="col">{t('Cell')}</th>
            <th scope="col">{t('Saved by Excel')}</th>
            <th scope="col">{t('Recalculated')}</th>
            <th scope="col">{t('Reason and formula')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ Sheet, Cell, Saved, Got, Reason, Formula, FeedsOutput }) => (
            <tr key={`${Sheet}!${Cell}`}>
              <td>
                <span className="rs-muted">{Sheet}</span>
                <br />
                <span>{Cell}</span>
              </td>
              <td>{Saved}</td>
              <td>{Got}</td>
              <td>
                {FeedsOutput && <strong>{t('An output depends on it.')} </strong>}
                <span>{said(Reason)}</span>
                <br />
                <code>{Formula}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
      {shown.length < differences.length && (
        <Button
          text={t('Show all {differencesCount}', { differencesCount: differences.length })}
          onClick={() => setExpanded(true)}
        />
      )}
    </>
  );
}
