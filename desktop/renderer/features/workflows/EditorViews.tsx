import { useEffect, useRef, useState } from 'react';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import type { WorkflowProblems } from './use-workflow-problems.ts';
import { EditorGraph } from './EditorGraph.tsx';
import { EditorToolbar } from './EditorToolbar.tsx';
import { focusStep } from './focus-step.ts';
import { ProblemSummary } from './ProblemSummary.tsx';
import { focusHeading, SidePanel, StepSheet, type PanelPart } from './SidePanel.tsx';
import { StepTable } from './StepTable.tsx';
import { useEditorView } from './use-editor-view.ts';
import { useStepActions } from './use-step-actions.tsx';
import './workflows.css';
import './workflow-editor.css';
import '#renderer/features/checklists/checklists.css';

interface EditorViewsProps {
  draft: WorkflowDraft;
  state: WorkflowProblems;
  isReadOnly: boolean;
}

/**
 * The steps of a workflow as a graph or as a list, as high as the page, and the fields of the selected step beside
 * them. On small screens, the fields are in a sheet.
 */
export function EditorViews({ draft, state, isReadOnly }: EditorViewsProps) {
  const { view, setView, isSmall } = useEditorView();
  const { part, setPart, open, sheet, closeSheet } = usePanelPart(draft, isSmall);
  const { actions, dialog } = useStepActions(draft, open);
  const { problems } = state;
  const views = { draft, problems, isReadOnly, actions };
  return (
    <div className="rs-workflow">
      <EditorToolbar
        draft={draft}
        isReadOnly={isReadOnly}
        view={view}
        onView={setView}
        actions={actions}
        onInputs={isSmall ? () => setPart('inputs') : null}
      />
      <div className="rs-workflow-main">
        <div className="rs-workflow-view">
          {view === 'graph' ? <EditorGraph {...views} /> : <StepTable {...views} />}
          {(!isReadOnly || problems.length > 0 || state.failure !== null) && (
            <ProblemSummary draft={draft} state={state} onOpen={open} />
          )}
        </div>
        {!isSmall && (
          <SidePanel draft={draft} problems={problems} isReadOnly={isReadOnly} part={part} onPart={setPart} />
        )}
      </div>
      {isSmall && (
        <StepSheet draft={draft} problems={problems} isReadOnly={isReadOnly} part={sheet} onClose={closeSheet} />
      )}
      {dialog}
    </div>
  );
}

/** What the panel shows, and when it moves the focus: if a step is opened, unlike if it is only selected. */
function usePanelPart({ selected, select }: WorkflowDraft, isSmall: boolean) {
  /** The step for which the user chose to see the inputs of the workflow instead. */
  const [inputsFor, setInputsFor] = useState<string | null>(null);
  const [sheet, setSheet] = useState<PanelPart | null>(null);
  const [opened, setOpened] = useState(0);
  /** The button that opened the sheet with the inputs of the workflow. */
  const opener = useRef<Element | null>(null);
  const part: PanelPart = selected !== null && inputsFor !== selected ? 'step' : 'inputs';
  useEffect(() => {
    if (opened > 0) focusHeading('step');
  }, [opened]);
  const open = (key: string): void => {
    select(key);
    setInputsFor(null);
    setOpened((count) => count + 1);
    if (isSmall) setSheet('step');
  };
  const setPart = (next: PanelPart): void => {
    setInputsFor(next === 'inputs' ? selected : null);
    if (!isSmall) return;
    opener.current = document.activeElement;
    setSheet(next);
  };
  const closeSheet = (): void => {
    setSheet(null);
    requestAnimationFrame(() => {
      if (sheet === 'step' && selected !== null) focusStep(selected);
      else if (opener.current instanceof HTMLElement) opener.current.focus();
    });
  };
  return { part, setPart, open, sheet, closeSheet };
}
