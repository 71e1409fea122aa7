import { Error as ErrorIcon } from '@blueprintjs/icons';
import type { WorkflowProblem } from '#shared/contract/workflows.ts';
import { said, t } from '#renderer/language/translate.ts';

/** Shows problems at the place where they occur. */
export function WorkflowProblemList({ problems }: { problems: readonly WorkflowProblem[] }) {
  return problems.map(({ Message }) => (
    <div key={Message} className="rs-field-error">
      <ErrorIcon size={13} title={t('Error')} />
      <span>{said(Message)}</span>
    </div>
  ));
}
