import { Button } from '@blueprintjs/core';
import { ArrowLeft, Play } from '@blueprintjs/icons';
import type { ChecklistRun } from '#shared/contract/checklist-runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { useGoBack } from '#renderer/features/runs/use-go-back.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';

/** What can be done with a run of a checklist or workflow, by its state. */
export function ChecklistButtons({ run: { Id, RunId, IsWorkflow, CanRun, Status } }: { run: ChecklistRun }) {
  const goBack = useGoBack();
  const root = IsWorkflow ? 'workflows' : 'checklists';
  return (
    <>
      <Button icon={<ArrowLeft />} text="Back" onClick={goBack} />
      {!isPending(Status) && CanRun && (
        <LinkButton icon={<Play />} text="Run Again" to={`/${root}/run/${Id}/again/${RunId}/`} />
      )}
    </>
  );
}
