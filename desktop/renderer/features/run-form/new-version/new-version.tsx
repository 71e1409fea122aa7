/** Detects a newer version of the activity than the one in the form. */
import { Button, Callout } from '@blueprintjs/core';
import { Refresh } from '@blueprintjs/icons';
import { useEffect, useRef, useState } from 'react';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { linkedActivityDetails } from '#shared/contract/links.ts';
import { publicActivityDetails } from '#shared/contract/public-runs.ts';
import type { StartConflict } from '#shared/contract/runs.ts';
import type { AppFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useLiveVersion } from '#renderer/features/live/use-live-stream.ts';
import { t } from '#renderer/language/translate.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { checklistCalls } from '#renderer/features/run-form/form-calls.ts';
import type { FormOrigin } from '#renderer/features/run-form/form-origin.ts';

/** Minimum time between two checks, in milliseconds. */
const MIN_CHECK_INTERVAL_MS = 5_000;
/** Check interval in milliseconds for forms without the live stream, while the page is visible. */
const CHECK_INTERVAL_MS = 30_000;

/**
 * Returns the newest version if it is newer than the form's; else null. The live stream reports it immediately, and the
 * page checks when the user returns to it. The stream does not serve visitors or checklist revisions, so these forms
 * check periodically.
 */
export function useNewestVersion({ Id, Version }: Activity, origin: FormOrigin): number | null {
  const isLive = origin.kind === 'own' || origin.kind === 'link';
  const liveVersion = useLiveVersion(Id, isLive) ?? Version;
  const [found, setFound] = useState(Version);
  useEffect(() => {
    let checkedAt = 0;
    let isGone = false;
    const check = async (): Promise<void> => {
      if (document.visibilityState !== 'visible' || Date.now() - checkedAt < MIN_CHECK_INTERVAL_MS) return;
      checkedAt = Date.now();
      // Ignore failures: the start will report a newer version.
      const now = await newestVersion(Id, origin).catch(() => Version);
      if (!isGone) setFound(now);
    };
    const onReturn = (): void => void check();
    window.addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    const timer = isLive ? undefined : window.setInterval(onReturn, CHECK_INTERVAL_MS);
    return () => {
      isGone = true;
      window.clearInterval(timer);
      window.removeEventListener('focus', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [Id, Version, origin, isLive]);
  const newest = Math.max(liveVersion, found);
  return newest > Version ? newest : null;
}

/** These checks are no activity of the user. */
async function newestVersion(id: number, origin: FormOrigin): Promise<number> {
  if (origin.kind === 'link') {
    const linked = await call(linkedActivityDetails, { params: { linkId: origin.linkId }, polls: true });
    return linked.Activity.Version;
  }
  // An earlier run continues as it was started, whatever was saved since.
  if (origin.kind === 'checklist' && origin.resume) return 0;
  if (origin.kind === 'checklist') return (await checklistCalls()).checklistRevision(id);
  const { Version } = await call(origin.kind === 'public' ? publicActivityDetails : activityDetails, {
    params: { id },
    polls: true,
  });
  return Version;
}

/** Returns the newest version if the start was refused because of it; else null. */
export function newestOfRefusal({ status, answer }: AppFailure): number | null {
  if (status !== 409) return null;
  const { code, ActivityVersion } = answer as Partial<StartConflict>;
  return code === 'activityVersionOutdated' && ActivityVersion !== undefined ? ActivityVersion : null;
}

/** Shows a message when the form continues with another version. Call it where the activity of a form is fetched. */
export function useNewVersionMessage(activity: Activity | undefined): void {
  const version = useRef<number | undefined>(undefined);
  useEffect(() => {
    const isNewer = version.current !== undefined && activity !== undefined && activity.Version !== version.current;
    if (isNewer) showMessage(t('The activity has a new version. Your entries remain if they still fit.'));
    version.current = activity?.Version ?? version.current;
  }, [activity]);
}

interface NewVersionNoticeProps {
  onReload: () => void;
  shown: number;
  newest: number;
  origin: FormOrigin;
}

export function NewVersionNotice({ shown, newest, origin, onReload }: NewVersionNoticeProps) {
  const text =
    origin.kind === 'checklist'
      ? t('The checklist was changed. This form shows it as it was before.')
      : t('Version {newest} of the activity was published. This form shows version {shown}.', { newest, shown });
  return (
    <Callout compact icon={<Refresh />} intent="warning" className="rs-form-notice" role="status">
      {text} <Button size="small" text={t('Reload the form')} onClick={onReload} />
    </Callout>
  );
}
