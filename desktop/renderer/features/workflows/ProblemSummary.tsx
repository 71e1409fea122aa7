import { Callout } from '@blueprintjs/core';
import { Error as ErrorIcon, TickCircle } from '@blueprintjs/icons';
import { said, t } from '#renderer/language/translate.ts';
import type { WorkflowProblems } from './use-workflow-problems.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';

interface ProblemSummaryProps {
  draft: WorkflowDraft;
  state: WorkflowProblems;
  /** Opens the fields of a step. */
  onOpen: (key: string) => void;
}

/** Lists all problems that prevent saving the workflow; each links to its step. */
export function ProblemSummary({ draft, state: { problems, isChecking, failure }, onOpen }: ProblemSummaryProps) {
  const names = new Map(draft.graph.Steps.map(({ Key, Name }) => [Key, Name]));
  return (
    <div className="rs-workflow-faults" aria-busy={isChecking}>
      <div role="status">
        {failure !== null && (
          <Callout compact intent="warning">
            {t('The workflow could not be checked: {failure}', { failure })}
          </Callout>
        )}
        {failure === null && problems.length === 0 && (
          <Callout compact intent="success" icon={<TickCircle />}>
            {isChecking ? t('Checking…') : t('Ready to save.')}
          </Callout>
        )}
        {failure === null && problems.length > 0 && (
          <Callout compact intent="danger" icon={<ErrorIcon />}>
            {t('{count, plural, one {One problem prevents saving:} other {# problems prevent saving:}}', {
              count: problems.length,
            })}
          </Callout>
        )}
      </div>
      {problems.length > 0 && (
        <ul aria-label={t('Problems')}>
          {problems.map(({ Step, Message }, index) => (
            <li key={index}>
              {Step !== null && names.has(Step) ? (
                <button type="button" className="rs-workflow-fault" onClick={() => onOpen(Step)}>
                  <strong>{names.get(Step)}</strong>: {said(Message)}
                </button>
              ) : (
                said(Message)
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
