import { Link } from 'react-router-dom';
import type { ChecklistRun, ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import type { RunState } from '#shared/contract/runs.ts';
import { StepApprovalView } from '#renderer/features/approvals/StepApprovalView.tsx';
import { t } from '#renderer/language/translate.ts';
import { formatDuration, formatTime } from '#renderer/ui/format-date.ts';
import { StatusTag } from '#renderer/ui/StatusTag.tsx';
import { useNow } from '#renderer/ui/use-now.ts';
import { noteOf } from './step-note.ts';
import { RetryStep, RunFromHere } from './RetryStep.tsx';
import { StepRows } from './StepRows.tsx';
import { failedFirst, hasGoneWrong, stepBar, timeAxis, type PlacedStep, type TimeAxis } from './step-times.ts';

interface StepListProps {
  run: ChecklistRun;
  steps: readonly ChecklistStep[];
  /** The step whose state is queried separately. */
  step: { id: number; state: RunState } | null;
}

/** The steps of a workflow run: their states, the reasons, and their times as bars on one axis. */
export function StepList({ run, steps, step }: StepListProps) {
  const now = useNow(isPending(run.Status));
  const axis = timeAxis(run, steps, now);
  return (
    <div className="rs-steps-scroll" role="region" aria-label={t('Steps')} tabIndex={0}>
      <table className="rs-steps">
        <thead>
          <tr>
            <th scope="col">
              <span className="rs-visually-hidden">{t('Position')}</span>
            </th>
            <th scope="col">{t('Activity')}</th>
            <th scope="col">{t('Status')}</th>
            <th scope="col" className="rs-steps-axis">
              <span className="rs-visually-hidden">{t('Time')}</span>
              <span className="rs-steps-ends" aria-hidden>
                <span>{formatTime(axis.from, true)}</span>
                <span>{formatTime(axis.to, true)}</span>
              </span>
            </th>
            <th scope="col">{t('Duration')}</th>
          </tr>
        </thead>
        <tbody>
          {failedFirst(steps).map((placed) => (
            <StepRow
              key={placed.step.StepKey}
              run={run}
              placed={placed}
              axis={axis}
              state={step !== null && step.id === placed.step.Id ? step.state : null}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface StepRowProps {
  run: ChecklistRun;
  placed: PlacedStep;
  axis: TimeAxis;
  /** The state of the step if it is queried separately; null for other steps. */
  state: RunState | null;
}

function StepRow({ run, placed: { position, step: listed }, axis, state }: StepRowProps) {
  const step = state === null ? listed : { ...listed, ...timesOf(state) };
  const bar = stepBar(step, axis);
  const path = step.CanView && step.Id !== null ? `/activities/runstatus/${step.Id}/` : null;
  const tag = <StatusTag status={step.Status} />;
  const note = noteOf(step, state);
  return (
    <tr className={hasGoneWrong(step) ? 'is-wrong' : undefined}>
      <td className="rs-muted">{position}</td>
      <td>
        {path ? <Link to={path}>{step.Name}</Link> : step.Name}
        {note !== '' && <div className="rs-step-note">{note}</div>}
        {step.Approval !== null && <StepApprovalView approval={step.Approval} />}
        {step.KeptRunId !== null && (
          <div className="rs-step-note">
            <Link to={`/activities/runstatus/${step.KeptRunId}/`}>{t('Reused from an earlier run')}</Link>
          </div>
        )}
        <div className="rs-step-actions">
          {step.Kind === 'ForEach' && step.StartTime !== null && <StepRows run={run} step={step} />}
          <RetryStep run={run} step={step} />
          <RunFromHere run={run} step={step} />
        </div>
      </td>
      <td className="rs-nowrap">{path ? <Link to={path}>{tag}</Link> : tag}</td>
      <td className="rs-steps-axis" aria-hidden>
        {bar && (
          <div
            className={`rs-step-bar rs-step-bar-${step.Status}${bar.isGrowing ? ' is-growing' : ''}`}
            style={{ marginLeft: `${bar.start * 100}%`, width: `${bar.length * 100}%` }}
          />
        )}
      </td>
      <td className="rs-nowrap rs-steps-duration">{bar ? formatDuration(bar.duration) : ''}</td>
    </tr>
  );
}

const timesOf = ({ Status, PickupTime, StartTime, EndTime }: RunState) => ({ Status, PickupTime, StartTime, EndTime });
