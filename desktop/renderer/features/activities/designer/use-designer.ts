import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { design as designCall, saveMarks, type Design, type Mark } from '#shared/contract/designs.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { recordActivity } from '#renderer/app/session.ts';
import { changed, newHistory, redone, undone, type EditHistory } from '#renderer/features/workflows/edit-history.ts';
import { createMarkSaver, type SaveState } from './save-marks.ts';
import { preselected } from './marks.ts';

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
  /** Those of now, for what began with marks of before. */
  latest: () => Marks;
  /** @param burst names what is typed letter by letter, and undone as one */
  change: (marks: Marks, burst?: string) => void;
  undo: () => void;
  redo: () => void;
  canUndo: boolean;
  canRedo: boolean;
  saveState: SaveState;
  failure: AppFailure | null;
  /** What the marks that were saved last make of the workbook. */
  found: InspectedWorkbook | null;
  retry: () => void;
  /** Resolves once all is saved, with what the marks make of the workbook; null where they cannot be saved. */
  flush: () => Promise<InspectedWorkbook | null>;
}

/** A new design without marks has those that are proposed with confidence. */
const beginning = ({ Revision, Marks, Carried, Proposals }: Design): Marks =>
  Revision === 0 && Marks.length === 0 && Carried === null ? preselected(Proposals) : Marks;

/**
 * Saves marks. Where the design was only opened in another window, and its marks are those that were saved last from here, it is no conflict: that
 * window has saved what it found.
 */
function createSending(design: Design) {
  let known: Marks = design.Marks;
  const params = { id: design.Id };
  const send = (Revision: number, marks: Marks) => call(saveMarks, { params, body: { Revision, Marks: [...marks] } });
  return async (revision: number, marks: Marks): Promise<ResultOf<typeof saveMarks>> => {
    recordActivity();
    let saved: ResultOf<typeof saveMarks>;
    try {
      saved = await send(revision, marks);
    } catch (error) {
      if (!(error instanceof AppFailure) || error.status !== 409) throw error;
      const now = await call(designCall, { params });
      if (JSON.stringify(now.Marks) !== JSON.stringify(known)) throw error;
      saved = await send(now.Revision, marks);
    }
    known = marks;
    return saved;
  };
}

/** The marks of a design while the author changes them: each change is saved, and can be undone. */
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
  // Also when it is opened: what the marks make of the workbook is not part of a design.
  const saved = useRef<{ saver: unknown; marks: Marks } | null>(null);
  useEffect(() => {
    if (saved.current?.saver === saver && saved.current.marks === present) return;
    const isFirst = saved.current?.saver !== saver;
    saved.current = { saver, marks: present };
    saver.save(present);
    if (isFirst) saver.retry();
  }, [saver, present]);
  // Leaving the page loses nothing.
  useEffect(() => () => void saver.flush().finally(saver.stop), [saver]);
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
