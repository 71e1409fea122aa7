import { HTMLTable } from '@blueprintjs/core';
import type { WorkbookFault } from '#shared/contract/fidelity.ts';
import { said, t } from '#renderer/language/translate.ts';
import './versions.css';

/** A plain table, because the problems and their fixes are full sentences. */
export function FaultTable({ label, faults }: { label: string; faults: readonly WorkbookFault[] }) {
  return (
    <div className="rs-faults" role="group" aria-label={label} tabIndex={0}>
      <HTMLTable compact bordered>
        <thead>
          <tr>
            <th scope="col">{t('Sheet')}</th>
            <th scope="col">{t('Cell')}</th>
            <th scope="col">{t('Message')}</th>
            <th scope="col">{t('How to fix')}</th>
          </tr>
        </thead>
        <tbody>
          {faults.map((fault) => (
            <tr key={`${fault.Sheet}!${fault.Cell} ${fault.Message}`}>
              <td>{fault.Sheet}</td>
              <td>{fault.Cell}</td>
              <td>{said(fault.Message)}</td>
              <td>{said(fault.Remedy)}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </div>
  );
}
