import { Callout } from '@blueprintjs/core';
import type { ReactNode } from 'react';
import { OUTCOME_TEXT, type RunStatus } from '#shared/contract/run-status.ts';
import { said, t } from '#renderer/language/translate.ts';
import { StatusIcon, statusIntent, StatusTag } from '#renderer/ui/StatusTag.tsx';

interface RunOutcomeProps {
  status: RunStatus;
  /** Why something went wrong, below the sentence. */
  reason?: ReactNode;
}

/** Shows the sentence of an outcome with its icon; for a status that is no outcome, only its word. */
export function RunOutcome({ status, reason }: RunOutcomeProps) {
  const outcome = OUTCOME_TEXT[status] && said(OUTCOME_TEXT[status]);
  return outcome ? (
    <Callout compact icon={<StatusIcon status={status} />} intent={statusIntent(status)} className="rs-run-outcome">
      {reason ? (
        <>
          <strong>{outcome}</strong>
          <p className="rs-run-reason">{reason}</p>
        </>
      ) : (
        outcome
      )}
    </Callout>
  ) : (
    <StatusTag status={status} />
  );
}

/** Explains why the displayed data may be outdated. */
export function WatchFailure({ error }: { error: Error | null }) {
  return error ? (
    <p className="rs-muted" role="status">
      {t('{message} Trying again.', { message: said(error.message) })}
    </p>
  ) : null;
}
