import { Link } from 'react-router-dom';
import type { StepApproval } from '#shared/contract/approvals.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { DateText } from '#renderer/ui/texts.tsx';
import { ApprovalOutcomeTag } from './ApprovalOutcomeTag.tsx';
import { DecisionList } from './DecisionList.tsx';
import './approvals.css';

/** The approval of a step on the status page of a run: who must decide, until when, and who has decided what. */
export function StepApprovalView({ approval }: { approval: StepApproval }) {
  const { Id, Outcome, Needed, ExpiryTime, MayDecide, WaitsFor, Decisions, KeptOf } = approval;
  const approvedCount = Decisions.filter(({ Approved }) => Approved).length;
  return (
    <div className="rs-step-approval">
      {Outcome === 'Open' && (
        <span>
          {t('Waits for {names}', { names: WaitsFor.join(', ') })}
          {Needed > 1 && t(', {given} of {needed} approved', { given: approvedCount, needed: Needed })}
          {ExpiryTime !== null && rich(', until {time}', { time: <DateText value={ExpiryTime} /> })}
        </span>
      )}
      {(Outcome === 'Expired' || Outcome === 'NoApprovers') && <ApprovalOutcomeTag outcome={Outcome} />}
      <DecisionList decisions={Decisions} />
      {KeptOf !== null && <span>{t('Reused from an earlier run')}</span>}
      <Link to={`/approvals/${Id}`}>{MayDecide ? t('Decide') : t('Show approval')}</Link>
    </div>
  );
}
