import type { WorkflowChange } from '#shared/contract/workflows.ts';
import { t } from '#renderer/language/translate.ts';

interface ChangesTableProps {
  changes: readonly WorkflowChange[];
  /** Keys of steps that the user has changed as well. */
  ownSteps?: ReadonlySet<string>;
}

/** The differences between two versions of a workflow. */
export function ChangesTable({ changes, ownSteps }: ChangesTableProps) {
  if (changes.length === 0) return <p className="rs-muted">{t('Only positions in the drawing differ.')}</p>;
  return (
    <div className="rs-workflow-list" role="region" aria-label={t('Changes')} tabIndex={0}>
      <table className="rs-workflow-steps">
        <thead>
          <tr>
            <th scope="col">{t('Step')}</th>
            <th scope="col">{t('Change')}</th>
            <th scope="col">{t('Before')}</th>
            <th scope="col">{t('After')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ Kind, Step, Name, What, Before, After }, index) => (
            <tr key={index}>
              <th scope="row">
                {Step === null ? t('Input {name}', { name: Name }) : Name}
                {Step !== null && ownSteps?.has(Step) && (
                  <span className="rs-workflow-kind"> {t('changed by you too')}</span>
                )}
              </th>
              <td>{Kind === 'Changed' ? What : Kind}</td>
              <td>{Before}</td>
              <td>{After}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
