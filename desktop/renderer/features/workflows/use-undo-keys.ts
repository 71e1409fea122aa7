import { useEffect } from 'react';

/** Fields of the graph. */
const GRAPH_FIELDS = '.rs-workflow-panel, .rs-workflow-asked';
const TEXT_FIELDS = 'textarea, input:not([type=checkbox], [type=radio])';

/** Dialogs have separate state, and the other texts of the page, such as the description of a version, are not undone. */
const hasOwnUndo = (target: Element): boolean => {
  const dialog = target.closest('[role=dialog]');
  // On a small screen, the fields of the graph are in a sheet.
  const isApart = dialog !== null && !dialog.classList.contains('rs-workflow-sheet');
  return isApart || (target.matches(TEXT_FIELDS) && target.closest(GRAPH_FIELDS) === null);
};

/** Ctrl+Z and Ctrl+Y undo and redo, also in fields of the graph: their native undo does not know other changes. */
export function useUndoKeys(undo: (() => void) | null, redo: () => void): void {
  useEffect(() => {
    if (!undo) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.target instanceof Element && hasOwnUndo(event.target)) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'z' && !event.shiftKey) undo();
      else redo();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [undo, redo]);
}
