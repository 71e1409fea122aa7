/** Saves an edit that is based on a Revision, and finds out what somebody else has saved since. */
import type { OtherEdit } from '#shared/contract/endpoint.ts';
import { otherEditOf, toFailure, type AppFailure } from '#renderer/api/app-failure.ts';
import { createRevisionSender } from '#renderer/api/revision-sender.ts';

/** The fields of a form as they were read, with the Revision that they were read at; null for something new. */
export interface Opened<Fields> {
  fields: Fields;
  revision: number | null;
}

/** What a person has typed, and what it is based on: stored when the session ends. */
export interface EditDraft<Fields> {
  mine: Fields;
  opened: Opened<Fields>;
}

export interface EditCalls<Fields> {
  send: (Revision: number | null) => Promise<void>;
  read: () => Promise<Opened<Fields>>;
}

export interface Base<Fields> extends Opened<Fields> {
  send: (revision: number, fields: Fields, calls: EditCalls<Fields>) => Promise<void>;
}

/** What somebody else has saved. */
export interface Theirs<Fields> extends Opened<Fields> {
  other: OtherEdit;
  failure: AppFailure;
}

/**
 * Returns what a stored draft contains. Earlier releases stored only what was typed, and the page of one stores it before
 * it loads this one: it then counts as typed into the present version.
 */
export function draftFrom<Fields extends object>(
  stored: EditDraft<Fields> | Fields,
  present: Opened<Fields>,
): EditDraft<Fields> {
  if ('mine' in stored && 'opened' in stored) return stored;
  return { mine: { ...present.fields, ...stored }, opened: present };
}

/** A save whose response was lost is no conflict: see createRevisionSender. */
export function baseOf<Fields>({ fields, revision }: Opened<Fields>): Base<Fields> {
  let calls: EditCalls<Fields> | null = null;
  const sender = createRevisionSender<Fields, void>(fields, {
    save: async (Revision) => calls?.send(Revision),
    read: async () => {
      const stored = (await calls?.read()) ?? { fields, revision };
      return { revision: stored.revision ?? 0, content: stored.fields };
    },
  });
  return {
    fields,
    revision,
    send: (Revision, mine, now) => {
      calls = now;
      return sender(Revision, mine);
    },
  };
}

/** Returns the Revision that is stored then, or the conflict. Each save adds 1 to the Revision. */
export async function sendEdit<Fields>(
  base: Base<Fields>,
  { mine, revision }: { mine: Fields; revision: number },
  { send, read }: EditCalls<Fields>,
): Promise<number | Theirs<Fields>> {
  const newest: { of?: Opened<Fields> } = {};
  let sent = revision;
  try {
    await base.send(revision, mine, {
      send: (Revision) => {
        sent = Revision ?? 0;
        return send(Revision);
      },
      read: async () => (newest.of = await read()),
    });
    return sent + 1;
  } catch (error) {
    const other = otherEditOf(error);
    if (!other) throw error;
    return { other, failure: toFailure(error), ...(newest.of ?? (await read())) };
  }
}
