/** Edits something that several people may edit. Nobody overwrites the changes of others without noticing. */
import { useRef, useState, type SetStateAction } from 'react';
import type { OtherEdit } from '#shared/contract/endpoint.ts';
import { baseOf, draftFrom, sendEdit, type EditDraft, type Opened, type Theirs } from './send-edit.ts';

/** What EditConflict shows and offers. */
export interface ConflictState {
  /** The change of the other person; null if there is no conflict. */
  other: OtherEdit | null;
  isShowingTheirs: boolean;
  showTheirs: (isShown: boolean) => void;
  /** The next save overwrites what the other person has saved. */
  acceptTheirs: () => void;
  /** Continues with what the other person has saved. */
  discardMine: () => void;
}

export interface Edited<Fields> extends ConflictState {
  fields: Fields;
  /** Does nothing while the version of the other person is shown. */
  setFields: (change: SetStateAction<Fields>) => void;
  isChanged: boolean;
  draft: EditDraft<Fields>;
  restore: (draft: EditDraft<Fields>) => void;
  /**
   * Saves the fields, based on the Revision that they were read at. If somebody else has saved since, it reads their
   * version and rejects; see otherEditOf.
   */
  save: (send: (Revision: number | null) => Promise<void>) => Promise<void>;
}

/**
 * Holds the fields of a form.
 * @param opened the fields as they are stored. A later version replaces the fields until the person changes them.
 * @param read reads the fields again after a conflict
 */
export function useEdited<Fields extends object>(
  opened: Opened<Fields>,
  read: () => Promise<Opened<Fields>>,
): Edited<Fields> {
  const [base, setBase] = useState(() => baseOf(opened));
  const [mine, setMine] = useState(opened.fields);
  const [theirs, setTheirs] = useState<Theirs<Fields> | null>(null);
  const [isShowingTheirs, setShowingTheirs] = useState(false);
  const [followed, setFollowed] = useState(opened.revision);
  const accepted = useRef<number | null>(null);
  const isChanged = mine !== base.fields && textOf(mine) !== textOf(base.fields);
  const open = (next: Opened<Fields>, fields: Fields): void => {
    setBase(baseOf(next));
    setMine(fields);
    setTheirs(null);
    setShowingTheirs(false);
  };
  if (followed !== opened.revision) {
    setFollowed(opened.revision);
    if (!isChanged) open(opened, opened.fields);
  }
  const save: Edited<Fields>['save'] = async (send) => {
    if (isShowingTheirs && theirs) {
      setShowingTheirs(false);
      throw theirs.failure;
    }
    const revision = accepted.current ?? base.revision;
    accepted.current = null;
    if (revision === null) return send(null);
    const result = await sendEdit(base, { mine, revision }, { send, read });
    if (typeof result !== 'number') {
      setTheirs(result);
      throw result.failure;
    }
    setTheirs(null);
    setBase((before) => ({ ...before, fields: mine, revision: result }));
  };
  return {
    fields: isShowingTheirs && theirs ? theirs.fields : mine,
    setFields: isShowingTheirs ? ignoreChange : setMine,
    isChanged,
    draft: { mine, opened: { fields: base.fields, revision: base.revision } },
    restore: (stored) => {
      const draft = draftFrom(stored, { fields: base.fields, revision: base.revision });
      open(draft.opened, draft.mine);
    },
    other: theirs?.other ?? null,
    isShowingTheirs,
    showTheirs: setShowingTheirs,
    acceptTheirs: () => {
      if (!theirs) return;
      accepted.current = theirs.revision;
      setBase(({ send }) => ({ fields: theirs.fields, revision: theirs.revision, send }));
    },
    discardMine: () => theirs && open(theirs, theirs.fields),
    save,
  };
}

const ignoreChange = (): void => undefined;
const textOf = (fields: unknown): string => JSON.stringify(fields);
