import { useCallback, useEffect, useMemo, useRef, useLayoutEffect, useState, type ReactNode } from 'react';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { addStep, type StepPlace } from './add-step.ts';
import { AddStepDialog } from './AddStepDialog.tsx';
import { focusStep } from './focus-step.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { removeStep } from './workflow-draft.ts';

/** What the list and the graph do with steps. The functions stay the same while the editor is shown. */
export interface StepActions {
  /** Selects a step and moves to its fields. */
  open: (key: string) => void;
  /** Asks what to add. */
  add: (place: StepPlace) => void;
  /** Asks whether to remove a step. */
  remove: (key: string) => void;
}

type Asked = { add: StepPlace } | { remove: string } | null;

/** Returns the actions, and the dialog in which the user answers them. */
export function useStepActions(
  draft: WorkflowDraft,
  onOpen: (key: string) => void,
): { actions: StepActions; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked>(null);
  const open = useRef(onOpen);
  useLayoutEffect(() => {
    open.current = onOpen;
  });
  /** What had the focus before the question: a button, a step, or an edge, which is drawn as SVG. */
  const origin = useRef<HTMLElement | SVGElement | null>(null);
  const actions = useMemo<StepActions>(() => {
    const ask = (question: Asked): void => {
      const focused = document.activeElement;
      origin.current = focused instanceof HTMLElement || focused instanceof SVGElement ? focused : null;
      setAsked(question);
    };
    return {
      open: (key) => open.current(key),
      add: (place) => ask({ add: place }),
      remove: (key) => ask({ remove: key }),
    };
  }, []);
  const close = useCallback((next: string | null) => {
    setAsked(null);
    // Only once the dialog is gone, because it keeps the focus.
    requestAnimationFrame(() => {
      if (next !== null) focusStep(next);
      else origin.current?.focus();
    });
  }, []);
  return { actions, dialog: asked && <StepDialog draft={draft} asked={asked} onClose={close} /> };
}

interface StepDialogProps {
  draft: WorkflowDraft;
  asked: NonNullable<Asked>;
  /** @param next the step that gets the focus; null for the element that had it before */
  onClose: (next: string | null) => void;
}

function StepDialog({ draft, asked, onClose }: StepDialogProps) {
  const isOpen = useIsOpen();
  if ('add' in asked) {
    return (
      <AddStepDialog
        graph={draft.graph}
        place={asked.add}
        onClose={() => onClose(null)}
        onAdd={(step, activity) => {
          // An activity that was still being fetched when the user chose something else, or closed the dialog.
          if (!isOpen()) return;
          if (activity) draft.know(activity);
          onClose(draft.add((graph) => addStep(graph, step, asked.add)));
        }}
      />
    );
  }
  const { Steps } = draft.graph;
  const at = Steps.findIndex(({ Key }) => Key === asked.remove);
  const remove = (): void => {
    const next = (Steps[at + 1] ?? Steps[at - 1])?.Key ?? null;
    draft.change((graph) => removeStep(graph, asked.remove));
    draft.select(next);
    onClose(next);
  };
  return (
    <ConfirmDialog
      isOpen
      isLocal
      title={t('Remove step')}
      confirmText={t('Remove')}
      intent="danger"
      onConfirm={remove}
      onCancel={() => onClose(null)}
    >
      {t('Remove the step {name}? Steps after it will follow the steps before it. You can undo this.', {
        name: Steps[at]?.Name,
      })}
    </ConfirmDialog>
  );
}

/** Returns a function that returns whether the dialog is still there. */
function useIsOpen(): () => boolean {
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  return () => isOpen.current;
}
