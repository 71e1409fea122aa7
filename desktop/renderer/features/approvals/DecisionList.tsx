import type { ApprovalDecision } from '#shared/contract/approvals.ts';
import { DateText } from '#renderer/ui/texts.tsx';
import './approvals.css';

/** Who has decided what, when and why. */
export function DecisionList({ decisions }: { decisions: readonly ApprovalDecision[] }) {
  if (decisions.length === 0) return null;
  return (
    <ul className="rs-plain-list rs-decisions" aria-label="Decisions">
      {decisions.map(({ UserFullName, Approved, Comment, Time }, index) => (
        <li key={index}>
          <span>
            <strong className={Approved ? undefined : 'rs-danger-text'}>{Approved ? 'Approved' : 'Rejected'}</strong> by{' '}
            {UserFullName}, <DateText value={Time} />
          </span>
          {Comment !== '' && <q className="rs-decision-comment">{Comment}</q>}
        </li>
      ))}
    </ul>
  );
}
