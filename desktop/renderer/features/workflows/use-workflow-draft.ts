import { useCallback, useMemo, useRef, useState } from 'react';
import type { Workflow, WorkflowActivity, WorkflowGraphData } from '#shared/contract/workflows.ts';
import { useSessionDraft } from '#renderer/app/use-session-draft.ts';
import { changed, newHistory, redone, undone, type EditHistory } from '#renderer/ui/edit-history.ts';
import type { Added } from './add-step.ts';
import type { KnownActivities } from './offered-sources.ts';
import { useUndoKeys } from './use-undo-keys.ts';

/** A workflow that is edited; with Id 0 and NewestVersion 0 if it was never saved. */
export type EditedWorkflow = Pick<Workflow, 'Id' | 'Graph' | 'NewestVersion' | 'Faults' | 'Activities'>;

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
  /** Applies a change that creates a step, selects that step, and returns its key. */
  add: (edit: (graph: WorkflowGraphData) => Added) => string;
  /** Null if there is nothing to undo or redo. */
  undo: (() => void) | null;
  redo: (() => void) | null;
  isUnsaved: boolean;
  /** The version on which the draft is based. */
  version: number;
  /** Records what was saved. */
  setSaved: (graph: WorkflowGraphData, version: number) => void;
  /** Forgets what is stored of the draft, because the user leaves without saving. */
  discard: () => void;
}

/** What is entered beside the graph of a workflow that was never saved, and stored with it. */
export interface DraftExtra<T> {
  /** Distinguishes the drafts of several new workflows in one window. */
  name: string;
  value: T;
  isUnsaved: boolean;
  restore: (value: T) => void;
}

interface StoredDraft {
  version: number;
  graph: WorkflowGraphData;
  activities: WorkflowActivity[];
  extra?: unknown;
}

export function useWorkflowDraft<T>(
  { Id, Graph, NewestVersion, Activities }: EditedWorkflow,
  isReadOnly: boolean,
  extra?: DraftExtra<T>,
): WorkflowDraft {
  const [saved, setSaved] = useState({ graph: Graph, version: NewestVersion });
  const [selected, select] = useState<string | null>(null);
  const [known, setKnown] = useState(Activities);
  const { graph, change, undo, redo } = useGraphHistory(Graph, isReadOnly);
  const activities = useMemo(() => new Map(known.map((activity) => [activity.Id, activity])), [known]);
  const know = useCallback(
    (activity: WorkflowActivity) => setKnown((before) => [...before.filter(({ Id }) => Id !== activity.Id), activity]),
    [],
  );
  const isGraphUnsaved = useMemo(
    () => !isReadOnly && JSON.stringify(graph) !== JSON.stringify(saved.graph),
    [isReadOnly, graph, saved],
  );
  const isUnsaved = isGraphUnsaved || (extra?.isUnsaved ?? false);
  const value = extra?.value;
  const stored = useMemo<StoredDraft | null>(
    () => (isUnsaved ? { version: saved.version, graph, activities: known, extra: value } : null),
    [isUnsaved, saved.version, graph, known, value],
  );
  const restore = (draft: StoredDraft): void => {
    setKnown(draft.activities);
    // The stored draft is based on its own version. Restore that version too, so that a version saved since is not
    // overwritten silently.
    setSaved((before) => ({ ...before, version: draft.version }));
    change(() => draft.graph);
    extra?.restore(draft.extra as T);
  };
  // A page that only shows a version must not take the draft of the editor.
  const name = extra?.name ?? (isReadOnly ? `viewed.${Id}` : Id);
  const discard = useSessionDraft(`workflow.${name}`, stored, restore, { survivesReload: true });
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
      return added;
    },
    undo,
    redo,
    isUnsaved,
    version: saved.version,
    setSaved: (stored, version) => setSaved({ graph: stored, version }),
    discard,
  };
}

/** The graph with its undo history, which Ctrl+Z and Ctrl+Y use too. */
function useGraphHistory(
  first: WorkflowGraphData,
  isReadOnly: boolean,
): Pick<WorkflowDraft, 'graph' | 'change' | 'undo' | 'redo'> {
  const [{ present, past, future }, setHistory] = useLatestState(() => newHistory(first));
  const change = useCallback<WorkflowDraft['change']>(
    (edit, burst) => setHistory((before) => changed(before, edit(before.present), burst ?? null)),
    [setHistory],
  );
  const undo = useCallback(() => setHistory(undone), [setHistory]);
  const redo = useCallback(() => setHistory(redone), [setHistory]);
  useUndoKeys(isReadOnly ? null : undo, redo);
  return { graph: present, change, undo: past.length > 0 ? undo : null, redo: future.length > 0 ? redo : null };
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
