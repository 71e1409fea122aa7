import { HTMLTable } from '@blueprintjs/core';
import type { WorkbookProblem } from '#shared/contract/fidelity.ts';
import { said, t } from '#renderer/language/translate.ts';
import './versions.css';

/** A plain table, because the problems and their fixes are full sentences. */
export function ProblemTable({ label, problems }: { label: string; problems: readonly WorkbookProblem[] }) {
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
          {problems.map((problem) => (
            <tr key={`${problem.Sheet}!${problem.Cell} ${problem.Message}`}>
              <td>{problem.Sheet}</td>
              <td>{problem.Cell}</td>
              <td>{said(problem.Message)}</td>
              <td>{said(problem.Remedy)}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </div>
  );
}
