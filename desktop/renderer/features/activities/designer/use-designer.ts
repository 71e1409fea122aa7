import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { design as designCall, saveMarks, type Design, type Mark } from '#shared/contract/designs.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import type { AppFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { recordActivity } from '#renderer/app/session.ts';
import { changed, newHistory, redone, undone, type EditHistory } from '#renderer/ui/edit-history.ts';
import { registerPendingSave } from './pending-saves.ts';
import { preselected } from './marks.ts';
import { createMarkSaver, type MarkSaverOptions, type SaveState } from './save-marks.ts';
import { createMarkSender } from './send-marks.ts';

type Marks = readonly Mark[];
type Step = { kind: 'change'; marks: Marks; burst: string | null } | { kind: 'undo' } | { kind: 'redo' };

const step = (history: EditHistory<Marks>, action: Step): EditHistory<Marks> => {
  if (action.kind === 'change') return changed(history, action.marks, action.burst);
  return action.kind === 'undo' ? undone(history) : redone(history);
};

const SAVE_DELAY_MS = 400;

export interface Designer {
  design: Design;
  marks: Marks;
  /** Returns the current marks, for callbacks that started with older ones. */
  latest: () => Marks;
  /** @param burst names text that is typed letter by letter and undone as one change */
  change: (marks: Marks, burst?: string) => void;
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
  canRedo: boolean;
  saveState: SaveState;
  failure: AppFailure | null;
  /** The server's analysis of the marks that were saved last. */
  found: InspectedWorkbook | null;
  retry: () => void;
  /** Resolves after all changes are saved, with the server's analysis of the marks; null if they cannot be saved. */
  flush: () => Promise<InspectedWorkbook | null>;
}

/** Returns the initial marks. A new design without marks starts with the confident proposals. */
const beginning = ({ Revision, Marks, Carried, Proposals }: Design): Marks =>
  Revision === 0 && Marks.length === 0 && Carried === null ? preselected(Proposals) : Marks;

function createSending(design: Design): MarkSaverOptions['send'] {
  const params = { id: design.Id };
  const send = createMarkSender(design, {
    save: (Revision, marks) => call(saveMarks, { params, body: { Revision, Marks: [...marks] } }),
    read: () => call(designCall, { params }),
  });
  return (revision, marks) => {
    recordActivity();
    return send(revision, marks);
  };
}

/** Holds the marks of a design while the author edits them. Each change is saved and can be undone. */
export function useDesigner(design: Design): Designer {
  const [history, dispatch] = useReducer(step, design, (opened) => newHistory(beginning(opened)));
  const [saving, setSaving] = useState<{ state: SaveState; failure: AppFailure | null }>({
    state: 'saving',
    failure: null,
  });
  const [found, setFound] = useState<InspectedWorkbook | null>(null);
  const saver = useMemo(
    () =>
      createMarkSaver({
        revision: design.Revision,
        send: createSending(design),
        onState: (state, detail) => {
          setSaving({ state, failure: detail.failure ?? null });
          if (detail.found) setFound(detail.found);
        },
        delay: SAVE_DELAY_MS,
      }),
    [design],
  );
  const { present } = history;
  const latest = useRef(present);
  useEffect(() => {
    latest.current = present;
  });
  // Save on opening too, because a design does not contain the server's analysis of its marks.
  const saved = useRef<{ saver: unknown; marks: Marks } | null>(null);
  useEffect(() => {
    if (saved.current?.saver === saver && saved.current.marks === present) return;
    const isFirst = saved.current?.saver !== saver;
    saved.current = { saver, marks: present };
    saver.save(present);
    if (isFirst) saver.retry();
  }, [saver, present]);
  const { Id } = design;
  // Save pending changes when the design is left.
  useEffect(() => () => registerPendingSave(Id, saver.flush().finally(saver.stop)), [saver, Id]);
  return {
    design,
    marks: present,
    latest: useCallback(() => latest.current, []),
    change: useCallback((marks, burst) => dispatch({ kind: 'change', marks, burst: burst ?? null }), []),
    undo: useCallback(() => dispatch({ kind: 'undo' }), []),
    redo: useCallback(() => dispatch({ kind: 'redo' }), []),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    saveState: saving.state,
    failure: saving.failure,
    found,
    retry: saver.retry,
    flush: saver.flush,
  };
}
