import { Button, ButtonGroup, Overlay2 } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { WorkflowProblem } from '#shared/contract/workflows.ts';
import { t } from '#renderer/language/translate.ts';
import { PANEL_HEADING, StepPanel } from './StepPanel.tsx';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { INPUTS_HEADING, WorkflowInputs } from './WorkflowInputs.tsx';

/** What the panel shows: the fields of the selected step, or the inputs of the workflow. */
export type PanelPart = 'step' | 'inputs';

interface PartProps {
  draft: WorkflowDraft;
  problems: readonly WorkflowProblem[];
  isReadOnly: boolean;
}

interface SidePanelProps extends PartProps {
  part: PanelPart;
  onPart: (part: PanelPart) => void;
}

/** The panel beside the steps. Without a selected step, it shows the inputs of the workflow. */
export function SidePanel({ part, onPart, ...shown }: SidePanelProps) {
  const { selected } = shown.draft;
  const isStep = part === 'step' && selected !== null;
  const scroller = useRef<HTMLDivElement>(null);
  const shownKey = isStep ? selected : null;
  useLayoutEffect(() => {
    scroller.current?.scrollTo(0, 0);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the fields of another step begin at their top
  }, [shownKey]);
  return (
    <div ref={scroller} className="rs-workflow-side">
      <ButtonGroup role="group" aria-label={t('Fields')} fill>
        <Button
          text={t('Step')}
          active={isStep}
          aria-pressed={isStep}
          disabled={selected === null}
          onClick={() => onPart('step')}
        />
        <Button text={t('Workflow')} active={!isStep} aria-pressed={!isStep} onClick={() => onPart('inputs')} />
      </ButtonGroup>
      <Part {...shown} part={isStep ? 'step' : 'inputs'} />
    </div>
  );
}

interface StepSheetProps extends PartProps {
  /** Null if the sheet is closed. */
  part: PanelPart | null;
  onClose: () => void;
}

/** The same as a sheet over the whole window, for small screens. */
export function StepSheet({ part, onClose, ...shown }: StepSheetProps) {
  const isOpen = part === 'inputs' || (part === 'step' && shown.draft.selected !== null);
  return (
    <Overlay2 isOpen={isOpen} hasBackdrop={false} canOutsideClickClose={false} transitionDuration={0} onClose={onClose}>
      <div
        className="rs-workflow-sheet"
        role="dialog"
        aria-modal
        aria-label={part === 'step' ? t('Selected step') : t('Inputs of the workflow')}
      >
        <div className="rs-workflow-sheet-head">
          <Button variant="minimal" icon={<Cross />} text={t('Close')} onClick={onClose} />
        </div>
        {part && <OpenedPart {...shown} part={part} />}
      </div>
    </Overlay2>
  );
}

/** Moves the focus to its heading once it is there. */
function OpenedPart(props: PartProps & { part: PanelPart }) {
  const { part } = props;
  useEffect(() => focusHeading(part), [part]);
  return <Part {...props} />;
}

export function focusHeading(part: PanelPart): void {
  const heading = document.getElementById(part === 'step' ? PANEL_HEADING : INPUTS_HEADING);
  heading?.focus();
  heading?.scrollIntoView({ block: 'nearest' });
}

function Part({ part, draft, problems, isReadOnly }: PartProps & { part: PanelPart }) {
  const step = draft.graph.Steps.find(({ Key }) => Key === draft.selected);
  if (part === 'inputs' || !step) return <WorkflowInputs draft={draft} isReadOnly={isReadOnly} />;
  return (
    <StepPanel
      key={step.Key}
      draft={draft}
      step={step}
      problems={problems.filter(({ Step }) => Step === step.Key)}
      isReadOnly={isReadOnly}
    />
  );
}
