import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Workflow, WorkflowActivity, WorkflowGraphData } from '#shared/contract/workflows.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { changed, newHistory, redone, undone, type EditHistory } from '#renderer/ui/edit-history.ts';
import type { KnownActivities } from './offered-sources.ts';
import type { Added } from './workflow-draft.ts';

/** A graph while it is edited. The list and the graph view share one selection and one history. */
export interface WorkflowDraft {
  graph: WorkflowGraphData;
  /** Key of the selected step; null if none is selected. */
  selected: string | null;
  select: (key: string | null) => void;
  activities: KnownActivities;
  /** Registers an activity that the workflow has not used before. */
  know: (activity: WorkflowActivity) => void;
  /** @param burst identifies text that is typed letter by letter and undone as one change */
  change: (edit: (graph: WorkflowGraphData) => WorkflowGraphData, burst?: string) => void;
  /** Applies a change that creates a step, and selects that step. */
  add: (edit: (graph: WorkflowGraphData) => Added) => void;
  /** Null if there is nothing to undo or redo. */
  undo: (() => void) | null;
  redo: (() => void) | null;
  isUnsaved: boolean;
  /** The version on which the draft is based. */
  version: number;
  /** Records what was saved. */
  setSaved: (graph: WorkflowGraphData, version: number) => void;
}

interface StoredDraft {
  version: number;
  graph: WorkflowGraphData;
  activities: WorkflowActivity[];
}

export function useWorkflowDraft(
  { Id, Graph, NewestVersion, Activities }: Workflow,
  isReadOnly: boolean,
): WorkflowDraft {
  const [history, setHistory] = useLatestState(() => newHistory(Graph));
  const [saved, setSaved] = useState({ graph: Graph, version: NewestVersion });
  const [selected, select] = useState<string | null>(null);
  const [known, setKnown] = useState(Activities);
  const { present: graph, past, future } = history;
  const activities = useMemo(() => new Map(known.map((activity) => [activity.Id, activity])), [known]);
  const know = useCallback(
    (activity: WorkflowActivity) => setKnown((before) => [...before.filter(({ Id }) => Id !== activity.Id), activity]),
    [],
  );
  const change = useCallback<WorkflowDraft['change']>(
    (edit, burst) => setHistory((before) => changed(before, edit(before.present), burst ?? null)),
    [setHistory],
  );
  const isUnsaved = useMemo(
    () => !isReadOnly && JSON.stringify(graph) !== JSON.stringify(saved.graph),
    [isReadOnly, graph, saved],
  );
  useSessionDraft<StoredDraft>(
    `workflow.${Id}`,
    isUnsaved ? { version: saved.version, graph, activities: known } : null,
    (stored) => {
      setKnown(stored.activities);
      // The stored draft is based on its own version. Restore that version too, so that a version saved since is not
      // overwritten silently.
      setSaved((before) => ({ ...before, version: stored.version }));
      change(() => stored.graph);
    },
  );
  const undo = useCallback(() => setHistory(undone), [setHistory]);
  const redo = useCallback(() => setHistory(redone), [setHistory]);
  useUndoKeys(isReadOnly ? null : undo, redo);
  return {
    graph,
    selected: graph.Steps.some(({ Key }) => Key === selected) ? selected : null,
    select,
    activities,
    know,
    change,
    add: (edit) => {
      let added = '';
      // Edit the current graph, because it may have changed since the step was requested.
      change((before) => {
        const { graph: next, key } = edit(before);
        added = key;
        return next;
      });
      select(added);
    },
    undo: past.length > 0 ? undo : null,
    redo: future.length > 0 ? redo : null,
    isUnsaved,
    version: saved.version,
    setSaved: (stored, version) => setSaved({ graph: stored, version }),
  };
}

/**
 * Holds state that updates immediately and not with the next render, so that callers can use the result of their
 * change.
 */
function useLatestState(initial: () => EditHistory<WorkflowGraphData>) {
  const [state, setState] = useState(initial);
  const latest = useRef(state);
  const set = useCallback((edit: (before: EditHistory<WorkflowGraphData>) => EditHistory<WorkflowGraphData>): void => {
    latest.current = edit(latest.current);
    setState(latest.current);
  }, []);
  return [state, set] as const;
}

/** Fields of the graph. */
const GRAPH_FIELDS = '.rs-workflow-panel, .rs-workflow-asked';
const TEXT_FIELDS = 'textarea, input:not([type=checkbox], [type=radio])';

/** Dialogs have separate state, and the other texts of the page, such as the description of a version, are not undone. */
const hasOwnUndo = (target: Element): boolean =>
  target.closest('[role=dialog]') !== null || (target.matches(TEXT_FIELDS) && target.closest(GRAPH_FIELDS) === null);

/** Ctrl+Z and Ctrl+Y undo and redo, also in fields of the graph: their native undo does not know other changes. */
function useUndoKeys(undo: (() => void) | null, redo: () => void): void {
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
