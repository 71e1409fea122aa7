import { Button, ButtonGroup } from '@blueprintjs/core';
import { Add, Flows, Form, LayoutAuto, List, Redo, Undo } from '@blueprintjs/icons';
import type { JSX } from 'react';
import { t } from '#renderer/language/translate.ts';
import type { EditorView } from './use-editor-view.ts';
import type { StepActions } from './use-step-actions.tsx';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { arrangeByItself } from './workflow-draft.ts';

interface EditorToolbarProps {
  draft: WorkflowDraft;
  isReadOnly: boolean;
  view: EditorView;
  onView: (view: EditorView) => void;
  actions: StepActions;
  /** Opens the inputs of the workflow; null while they are beside the steps. */
  onInputs: (() => void) | null;
}

/** Chooses the view, adds steps, and undoes changes. */
export function EditorToolbar({ draft, isReadOnly, view, onView, actions, onInputs }: EditorToolbarProps) {
  return (
    <div className="rs-workflow-tools">
      <ButtonGroup role="group" aria-label={t('View')}>
        <ViewButton isShown={view === 'graph'} icon={<Flows />} text={t('Diagram')} onShow={() => onView('graph')} />
        <ViewButton isShown={view === 'list'} icon={<List />} text={t('List')} onShow={() => onView('list')} />
      </ButtonGroup>
      {!isReadOnly && (
        <Button icon={<Add />} text={t('Add step')} onClick={() => actions.add({ after: draft.selected })} />
      )}
      {onInputs && <Button icon={<Form />} text={t('Inputs of the workflow')} onClick={onInputs} />}
      {!isReadOnly && <HistoryButtons draft={draft} />}
    </div>
  );
}

interface ViewButtonProps {
  isShown: boolean;
  icon: JSX.Element;
  text: string;
  onShow: () => void;
}

function ViewButton({ isShown, icon, text, onShow }: ViewButtonProps) {
  return <Button icon={icon} text={text} active={isShown} aria-pressed={isShown} onClick={onShow} />;
}

function HistoryButtons({ draft }: { draft: WorkflowDraft }) {
  const isArranged = draft.graph.Steps.every(({ X }) => X === undefined);
  return (
    <span className="rs-workflow-undo">
      {!isArranged && (
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
  );
}
