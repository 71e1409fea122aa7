import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Workflow, WorkflowActivity, WorkflowGraph } from '#shared/contract/workflows.ts';
import { usePutAside } from '#renderer/app/use-put-aside.ts';
import { changed, newHistory, redone, undone, type EditHistory } from './edit-history.ts';
import type { KnownActivities } from './offered-sources.ts';
import type { Added } from './workflow-draft.ts';

/** A graph while it is edited: one selection and one history for the list and the drawing. */
export interface WorkflowDraft {
  graph: WorkflowGraph;
  /** Key of the selected step; null for none. */
  selected: string | null;
  select: (key: string | null) => void;
  activities: KnownActivities;
  /** Makes an activity known that was not among those of the workflow. */
  know: (activity: WorkflowActivity) => void;
  /** @param burst names what is typed letter by letter, and taken back as one */
  change: (edit: (graph: WorkflowGraph) => WorkflowGraph, burst?: string) => void;
  /** A change that makes a step, which is then selected. */
  add: (edit: (graph: WorkflowGraph) => Added) => void;
  /** Null where there is nothing to take back, or to do again. */
  undo: (() => void) | null;
  redo: (() => void) | null;
  isUnsaved: boolean;
  /** The one that it was made from. */
  version: number;
  /** What is stored by now. */
  setSaved: (graph: WorkflowGraph, version: number) => void;
}

interface Aside {
  version: number;
  graph: WorkflowGraph;
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
  usePutAside<Aside>(
    `workflow.${Id}`,
    isUnsaved ? { version: saved.version, graph, activities: known } : null,
    (aside) => {
      setKnown(aside.activities);
      // It was made from that version: one that was saved since is not overwritten without a word.
      setSaved((before) => ({ ...before, version: aside.version }));
      change(() => aside.graph);
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
      // Of what is there by now: what is added may have been asked for a while ago.
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

/** A state that is changed at once, and not with the next drawing: what changes it can use what came of that. */
function useLatestState(initial: () => EditHistory<WorkflowGraph>) {
  const [state, setState] = useState(initial);
  const latest = useRef(state);
  const set = useCallback((edit: (before: EditHistory<WorkflowGraph>) => EditHistory<WorkflowGraph>): void => {
    latest.current = edit(latest.current);
    setState(latest.current);
  }, []);
  return [state, set] as const;
}

/** Ctrl+Z and Ctrl+Y, in fields too: their own undo knows nothing of the rest. Not in a dialog, which has its own state. */
function useUndoKeys(undo: (() => void) | null, redo: () => void): void {
  useEffect(() => {
    if (!undo) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.target instanceof Element && event.target.closest('[role=dialog]')) return;
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
