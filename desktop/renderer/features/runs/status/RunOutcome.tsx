import { Callout } from '@blueprintjs/core';
import { OUTCOME_TEXT, type RunStatus } from '#shared/contract/run-status.ts';
import { said, t } from '#renderer/language/translate.ts';
import { StatusIcon, statusIntent, StatusTag } from '#renderer/ui/StatusTag.tsx';

/** The sentence of an outcome with its icon; the word of a status that is none yet. */
export function RunOutcome({ status }: { status: RunStatus }) {
  const outcome = OUTCOME_TEXT[status] && said(OUTCOME_TEXT[status]);
  return outcome ? (
    <Callout compact icon={<StatusIcon status={status} />} intent={statusIntent(status)} className="rs-run-outcome">
      {outcome}
    </Callout>
  ) : (
    <StatusTag status={status} />
  );
}

/** Why what is shown may be out of date. */
export function WatchFailure({ error }: { error: Error | null }) {
  return error ? (
    <p className="rs-muted" role="status">
      {t('{message} Trying again.', { message: error.message })}
    </p>
  ) : null;
}
