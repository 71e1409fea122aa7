import { useRef, useState } from 'react';
import type { ActivityLink } from '#shared/contract/activities.ts';
import { linkedActivityDetails, startLink } from '#shared/contract/links.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import { startsDirectly } from '#shared/rules/link-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import type { LinkedFormState } from '#renderer/features/run-form/linked/LinkedFormPage.tsx';
import { rememberLinkedRows } from '#renderer/features/run-form/linked/linked-rows.ts';
import { createUniqueId } from '#renderer/api/unique-id.ts';
import { refreshRuns } from '#renderer/features/run-form/start/use-start-run.ts';
import { showError } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { emptyTables, transformsOf, type ChosenRows } from './chosen-rows.ts';

/** Starts the linked activity, or opens its form if the user can fill in or change something. */
export function useFollowLink(run: ActivityRun, chosen: ChosenRows, setFollowing: (linkId: number | null) => void) {
  const navigate = useNavigateWhileHere();
  // Id of a start without an answer. A repeated start reuses it, so the server does not start the run twice.
  const unanswered = useRef<{ what: string; UniqueId: string } | null>(null);
  const [asked, setAsked] = useState<{ link: ActivityLink; tables: string[] } | null>(null);

  const go = async (link: ActivityLink): Promise<void> => {
    setFollowing(link.Id);
    try {
      const { Activity } = await call(linkedActivityDetails, { params: { linkId: link.Id } });
      const OutputTransforms = transformsOf(link, run.Outputs, chosen);
      if (!startsDirectly(Activity.Inputs)) {
        const state: LinkedFormState = { OutputTransforms };
        rememberLinkedRows(bridge.window, { linkId: link.Id, runId: run.Id, OutputTransforms });
        await navigate(`/activities/run/${link.LinkedActivityId}/link/${link.Id}/${run.Id}/`, { state });
        return;
      }
      const what = JSON.stringify([link.Id, run.Id, OutputTransforms]);
      if (unanswered.current?.what !== what) unanswered.current = { what, UniqueId: createUniqueId() };
      const { UniqueId } = unanswered.current;
      const body = { ActivityLinkId: link.Id, ActivityRunId: run.Id, UniqueId, OutputTransforms, Inputs: [] };
      const { Id } = await call(startLink, { body });
      unanswered.current = null;
      refreshRuns();
      await navigate(`/activities/runstatus/${Id}/`);
    } catch (error) {
      const { message, modelState } = toFailure(error);
      const details = Object.entries(modelState).map(([name, issues]) => `${name}: ${issues.join(' ')}`);
      showError([message, ...details].join('\n'));
    } finally {
      setFollowing(null);
    }
  };

  return {
    follow: (link: ActivityLink): void => {
      const tables = emptyTables(link, run.Outputs, chosen);
      if (tables.length > 0) setAsked({ link, tables });
      else void go(link);
    },
    /** Names of tables from which no row would be passed on; set while the user is asked about them. */
    question: asked?.tables.join(', ') ?? null,
    answer: (proceed: boolean): void => {
      const link = asked?.link;
      setAsked(null);
      if (proceed && link) void go(link);
    },
  };
}
