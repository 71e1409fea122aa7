import type { ApprovalDecision } from '#shared/contract/approvals.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { DateText } from '#renderer/ui/texts.tsx';
import './approvals.css';

/** Lists who decided what, when and why. */
export function DecisionList({ decisions }: { decisions: readonly ApprovalDecision[] }) {
  if (decisions.length === 0) return null;
  return (
    <ul className="rs-plain-list rs-decisions" aria-label={t('Decisions')}>
      {decisions.map(({ UserFullName, Approved, Comment, Time }, index) => (
        <li key={index}>
          <span>
            {rich(
              Approved ? '<strong>Approved</strong> by {name}, {time}' : '<strong>Rejected</strong> by {name}, {time}',
              {
                strong: <strong className={Approved ? undefined : 'rs-danger-text'} />,
                name: UserFullName,
                time: <DateText value={Time} />,
              },
            )}
          </span>
          {Comment !== '' && <q className="rs-decision-comment">{Comment}</q>}
        </li>
      ))}
    </ul>
  );
}
