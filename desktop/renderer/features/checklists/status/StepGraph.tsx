import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { hasSucceeded, isPending } from '#shared/contract/run-status.ts';
import type { DrawnStep } from '#renderer/features/workflows/drawn-step.ts';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { statusText, StatusTag } from '#renderer/ui/StatusTag.tsx';
import { hasGoneWrong } from './step-times.ts';

const WorkflowGraphView = lazyPart(
  async () => (await import('#renderer/features/workflows/WorkflowGraphView.tsx')).WorkflowGraphView,
  <Skeleton kind="grid" />,
);

/** The steps of a run as a graph, colored by their outcomes. */
export function StepGraph({ steps }: { steps: readonly ChecklistStep[] }) {
  const [selected, setSelected] = useState<string | null>(null);
  const navigate = useNavigate();
  const drawn = useMemo(() => steps.map(drawnStep), [steps]);
  const open = (key: string): void => {
    const step = steps.find(({ StepKey }) => StepKey === key);
    if (step?.Approval) return void navigate(`/approvals/${step.Approval.Id}`);
    const id = step?.Id ?? step?.KeptRunId ?? null;
    if (step?.CanView && id !== null) void navigate(`/activities/runstatus/${id}/`);
  };
  return (
    <div className="rs-steps-graph">
      <WorkflowGraphView steps={drawn} selected={selected} onSelect={setSelected} onOpen={open} />
    </div>
  );
}

function drawnStep(step: ChecklistStep): DrawnStep {
  const { StepKey, StepName, Status, After, X, Y, KeptRunId } = step;
  const reusedText = KeptRunId === null ? '' : t('reused');
  return {
    Key: StepKey,
    Name: StepName,
    After,
    ...(X === undefined || Y === undefined ? {} : { X, Y }),
    note: (
      <>
        <StatusTag status={Status} />
        {reusedText && <span className="rs-graph-kept">{reusedText}</span>}
      </>
    ),
    tone: toneOf(step),
    label: [statusText(Status), reusedText].filter(Boolean).join(', '),
  };
}

function toneOf(step: ChecklistStep): DrawnStep['tone'] {
  const { Status } = step;
  if (hasGoneWrong(step)) return 'danger';
  if (Status === 'SucceededWarn') return 'warning';
  if (hasSucceeded(Status)) return 'success';
  if (Status === 'Started' || Status === 'PickedUp') return 'running';
  return isPending(Status) ? 'none' : 'muted';
}
