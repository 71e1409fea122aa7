import { Checkbox, HTMLSelect } from '@blueprintjs/core';
import type { WorkflowProblem, WorkflowStepData } from '#shared/contract/workflows.ts';
import { FAILURE_POLICIES, JOIN_RULES, type FailurePolicy, type JoinRule } from '#shared/rules/workflows/types.ts';
import { STEP_NAME_MAX } from '#shared/rules/workflows/validate-graph.ts';
import { workflowActivity } from '#shared/rules/workflows/workflow-activity.ts';
import { AddActivity } from '#renderer/features/checklists/AddActivity.tsx';
import { t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { ApprovalFields } from './ApprovalFields.tsx';
import { DecisionFields } from './DecisionFields.tsx';
import { EdgesEditor } from './EdgesEditor.tsx';
import { focusStep } from './focus-step.ts';
import { ForEachFields } from './ForEachFields.tsx';
import { WorkflowProblemList } from './WorkflowProblemList.tsx';
import { MapRest } from './MapRest.tsx';
import { InputMappings } from './InputMappings.tsx';
import { activityOf } from './offered-sources.ts';
import { FAILURE_TEXT, JOIN_TEXT } from './step-texts.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { asKind, changeStep, KIND_TEXT } from './workflow-draft.ts';
import type { StepPartProps } from './step-part.ts';

interface StepPanelProps {
  draft: WorkflowDraft;
  step: WorkflowStepData;
  problems: readonly WorkflowProblem[];
  isReadOnly: boolean;
}

export const PANEL_HEADING = 'workflow-step-heading';

/** The fields of the selected step. */
export function StepPanel({ draft, step, problems, isReadOnly }: StepPanelProps) {
  const write = (change: object, burst?: string): void =>
    draft.change(
      (graph) => changeStep(graph, step.Key, (before) => ({ ...before, ...change }) as WorkflowStepData),
      burst && `${burst} of ${step.Key}`,
    );
  const part = { draft, isReadOnly, write };
  return (
    <section
      className="rs-workflow-panel"
      aria-label={t('Selected step')}
      onKeyDown={(event) => {
        // Return the focus to the step in the list or graph. A dialog above the panel handles Escape itself.
        const isOwn = event.currentTarget.contains(event.target as Node);
        if (event.key === 'Escape' && !event.defaultPrevented && isOwn) focusStep(step.Key);
      }}
    >
      <h2 id={PANEL_HEADING} tabIndex={-1}>
        {step.Name.trim() === '' ? t('(no name)') : step.Name}
      </h2>
      <WorkflowProblemList problems={problems} />
      <div className="rs-workflow-columns">
        <div>
          <AboutFields {...part} step={step} />
        </div>
        <div>
          {step.Kind === 'ForEach' && <ForEachFields {...part} step={step} />}
          {step.Kind === 'Decision' && <DecisionFields {...part} step={step} />}
          {step.Kind === 'Approval' && <ApprovalFields {...part} step={step} />}
          {'ActivityId' in step && <InputMappings {...part} step={step} />}
          {!isReadOnly && <MapRest draft={draft} step={step} />}
        </div>
      </div>
    </section>
  );
}

function AboutFields({ draft, step, isReadOnly, write }: StepPartProps) {
  const setKind = (kind: WorkflowStepData['Kind']): void =>
    draft.change((graph) =>
      changeStep(graph, step.Key, (before) => asKind(before, kind, [...draft.activities.keys()][0] ?? 0)),
    );
  return (
    <>
      <TextField
        label={t('Name')}
        required
        value={step.Name}
        maxLength={STEP_NAME_MAX}
        disabled={isReadOnly}
        onChange={(Name) => write({ Name }, 'Name')}
      />
      <FormField label={t('Kind')}>
        {(field) => (
          <HTMLSelect
            {...idOf(field)}
            value={step.Kind}
            disabled={isReadOnly}
            onChange={({ currentTarget }) => setKind(currentTarget.value as WorkflowStepData['Kind'])}
          >
            {Object.entries(KIND_TEXT).map(([kind, text]) => (
              <option key={kind} value={kind}>
                {text}
              </option>
            ))}
          </HTMLSelect>
        )}
      </FormField>
      {'ActivityId' in step && <ActivityField draft={draft} step={step} isReadOnly={isReadOnly} write={write} />}
      <EdgesEditor draft={draft} step={step} isReadOnly={isReadOnly} write={write} />
      {step.After.length > 1 && (
        <FormField label={t('Waits until')}>
          {(field) => (
            <HTMLSelect
              {...idOf(field)}
              value={step.Join}
              disabled={isReadOnly}
              onChange={({ currentTarget }) => write({ Join: currentTarget.value as JoinRule })}
            >
              {JOIN_RULES.map((rule) => (
                <option key={rule} value={rule}>
                  {JOIN_TEXT[rule]}
                </option>
              ))}
            </HTMLSelect>
          )}
        </FormField>
      )}
      <FormField label={t('If it fails')}>
        {(field) => (
          <HTMLSelect
            {...idOf(field)}
            value={step.OnFailure}
            disabled={isReadOnly}
            onChange={({ currentTarget }) => write({ OnFailure: currentTarget.value as FailurePolicy })}
          >
            {FAILURE_POLICIES.map((policy) => (
              <option key={policy} value={policy}>
                {FAILURE_TEXT[policy]}
              </option>
            ))}
          </HTMLSelect>
        )}
      </FormField>
      {'ActivityId' in step && (
        <Checkbox
          label={t('Run it again if a server is interrupted; running it twice does no harm')}
          checked={step.MayRepeat ?? false}
          disabled={isReadOnly}
          onChange={({ currentTarget }) => write({ MayRepeat: currentTarget.checked })}
        />
      )}
    </>
  );
}

const idOf = ({ id }: { id: string }): { id: string } => ({ id });

/**
 * Shows the activity of the step and a field to choose another one. Mappings stay if the new activity has inputs of the
 * same names.
 */
function ActivityField({ draft, step, isReadOnly, write }: StepPartProps) {
  const activity = activityOf(step, draft.activities);
  const name =
    activity?.Name ?? ('ActivityId' in step ? t('Activity {activityId}', { activityId: step.ActivityId }) : '');
  return (
    <>
      <FormField label={t('Activity')}>
        {({ id }) => (
          <output id={id} className="rs-workflow-activity">
            {name} <span className="rs-muted">{activity?.Schema}</span>
          </output>
        )}
      </FormField>
      {!isReadOnly && (
        <AddActivity
          label={t('Another activity')}
          id={`workflow-activity-${step.Key}`}
          chosen={[]}
          onAdd={({ Id }, details) => {
            draft.know(workflowActivity(details));
            const isNamedSo = activity !== undefined && step.Name === activity.Name;
            write({ ActivityId: Id, ...(isNamedSo ? { Name: details.Name } : {}) });
          }}
        />
      )}
    </>
  );
}
