import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Activity } from '#shared/contract/activities.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { FormTools } from './FormTools.tsx';
import { FormHostContext, type FormHost } from './form-host.ts';
import { DryRunButton } from './start/DryRunButton.tsx';
import { RunForm, type RunFormProps } from './RunForm.tsx';

/** The run form on a page of the portal. */
export function PortalRunForm(props: RunFormProps) {
  const navigate = useNavigateWhileHere();
  const host = useMemo(
    (): FormHost => ({
      goTo: (path, options) => navigate(path, options),
      goBack: () => void navigate(-1),
      LeaveWarning,
      LastRun: LastRunLine,
      Tools: FormTools,
      DryRunButton,
    }),
    [navigate],
  );
  return (
    <FormHostContext value={host}>
      <RunForm {...props} />
    </FormHostContext>
  );
}

/** Shows the last run, for activities that allow only one run at a time. */
function LastRunLine({ activity: { SingleRun, LastRun, IsRunning } }: { activity: Activity }) {
  if (!SingleRun) return null;
  if (IsRunning && !(LastRun && isPending(LastRun.Status)))
    return (
      <p className="rs-muted">
        {t('The activity is already running. If you start it now, your run waits until the current run has ended.')}
      </p>
    );
  if (!LastRun) return <p className="rs-muted">{t('This activity has never been run before!')}</p>;
  return (
    <p className="rs-last-run">
      <StatusTag status={LastRun.Status} />
      <Link to={`/activities/runstatus/${LastRun.Id}/`}>
        {rich('Last run {queueTime}', { queueTime: <DateText value={LastRun.QueueTime} as="relative" /> })}
      </Link>
      <span className="rs-muted">{t('by {userFullName}', { userFullName: LastRun.UserFullName })}</span>
    </p>
  );
}
