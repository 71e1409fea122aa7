import { Button } from '@blueprintjs/core';
import { Endorsed, Fork, LayoutAuto, Redo, Undo } from '@blueprintjs/icons';
import { useCallback, useEffect, useState } from 'react';
import type { Workflow } from '#shared/contract/workflows.ts';
import { workflowActivity } from '#shared/rules/workflows/workflow-activity.ts';
import { AddActivity } from '#renderer/features/checklists/AddActivity.tsx';
import { t } from '#renderer/language/translate.ts';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { EditorGraph } from './EditorGraph.tsx';
import { ProblemSummary } from './ProblemSummary.tsx';
import { SaveCard } from './SaveCard.tsx';
import { PANEL_HEADING, StepPanel } from './StepPanel.tsx';
import { StepTable } from './StepTable.tsx';
import { useSaveWorkflow } from './use-save-workflow.ts';
import { useWorkflowDraft, type WorkflowDraft } from './use-workflow-draft.ts';
import { useWorkflowProblems } from './use-workflow-problems.ts';
import { addStep, arrangeByItself } from './workflow-draft.ts';
import { WorkflowInputs } from './WorkflowInputs.tsx';
import './workflows.css';
import '#renderer/features/checklists/checklists.css';

interface WorkflowEditorProps {
  workflow: Workflow;
  isReadOnly: boolean;
  /** Discards the changes and opens the newest version. */
  onReload: () => void;
}

/**
 * Editor for a workflow: its steps as a list and as a graph, the fields of the selected step, and the workflow's
 * inputs.
 */
export function WorkflowEditor({ workflow, isReadOnly, onReload }: WorkflowEditorProps) {
  const draft = useWorkflowDraft(workflow, isReadOnly);
  const state = useWorkflowProblems(workflow, draft.graph);
  const saving = useSaveWorkflow(workflow, draft);
  const [opened, setOpened] = useState(0);
  const { graph, selected } = draft;
  // Opening a step, unlike selecting it, moves the focus to its fields.
  const open = useCallback(() => setOpened((count) => count + 1), []);
  useEffect(() => {
    if (opened === 0) return;
    const heading = document.getElementById(PANEL_HEADING);
    heading?.focus();
    heading?.scrollIntoView({ block: 'nearest' });
  }, [opened]);
  const step = graph.Steps.find(({ Key }) => Key === selected);
  return (
    <>
      <LeaveWarning isUnsaved={draft.isUnsaved} />
      <Card className="rs-workflow">
        {!isReadOnly && <EditorTools draft={draft} />}
        <div className="rs-workflow-views">
          <StepTable draft={draft} problems={state.problems} isReadOnly={isReadOnly} onOpen={open} />
          <EditorGraph draft={draft} problems={state.problems} isReadOnly={isReadOnly} onOpen={open} />
        </div>
        {(!isReadOnly || state.problems.length > 0 || state.failure !== null) && (
          <ProblemSummary
            draft={draft}
            state={state}
            onOpen={(key) => {
              draft.select(key);
              open();
            }}
          />
        )}
      </Card>
      {step && (
        <StepPanel
          key={step.Key}
          draft={draft}
          step={step}
          problems={state.problems.filter(({ Step }) => Step === step.Key)}
          isReadOnly={isReadOnly}
        />
      )}
      <WorkflowInputs draft={draft} isReadOnly={isReadOnly} />
      {!isReadOnly && (
        <SaveCard
          saving={saving}
          version={draft.version}
          isUnsaved={draft.isUnsaved}
          onSave={() => void saving.save(graph)}
          onSaveOverNewer={() => void saving.saveOverNewer(graph)}
          onReload={onReload}
        />
      )}
    </>
  );
}

/** Buttons to add steps and to undo and redo changes. */
function EditorTools({ draft }: { draft: WorkflowDraft }) {
  const { graph, selected } = draft;
  return (
    <div className="rs-workflow-tools">
      <AddActivity
        chosen={[]}
        onAdd={({ Id, Name }, details) => {
          draft.know(workflowActivity(details));
          draft.add((graph) => addStep(graph, { Kind: 'Activity', Name, ActivityId: Id }, selected));
        }}
      />
      <Button
        icon={<Fork />}
        text={t('Add decision')}
        onClick={() => draft.add((graph) => addStep(graph, { Kind: 'Decision', Name: t('Decision') }, selected))}
      />
      <Button
        icon={<Endorsed />}
        text={t('Add approval')}
        onClick={() => draft.add((graph) => addStep(graph, { Kind: 'Approval', Name: t('Approval') }, selected))}
      />
      <span className="rs-workflow-undo">
        {graph.Steps.some(({ X }) => X !== undefined) && (
          <Button
            variant="minimal"
            icon={<LayoutAuto />}
            text={t('Arrange')}
            title={t('Discards all positions that were chosen manually')}
            onClick={() => draft.change(arrangeByItself)}
          />
        )}
        <Button
          variant="minimal"
          icon={<Undo />}
          text={t('Undo')}
          title={t('Ctrl+Z')}
          disabled={!draft.undo}
          onClick={() => draft.undo?.()}
        />
        <Button
          variant="minimal"
          icon={<Redo />}
          text={t('Redo')}
          title={t('Ctrl+Y')}
          disabled={!draft.redo}
          onClick={() => draft.redo?.()}
        />
      </span>
    </div>
  );
}
