/** State transitions of waiting starts. */
import { randomBytes } from 'node:crypto';
import { Value } from 'typebox/value';
import type { OutboxEntry } from '#bridge/outbox.ts';
import { StartBody } from '#shared/contract/runs.ts';
import type { Outcome } from './outbox-sending.ts';
import type { StoredEntry } from './outbox-store.ts';

export const HOUR = 60 * 60_000;
export const OLD = 24 * HOUR;
/** Clock corrections within this tolerance are considered harmless. */
const CLOCK_TOLERANCE = 5 * 60_000;
const WHY = {
  old: 'It has waited for more than an hour. Start it now?',
  expired: 'It has waited for more than a day. It will not start unless you start it.',
  clock: 'The clock of this computer was changed while it waited. Start it now?',
  signedOut: 'It is sent after you sign in again.',
  edited: 'You opened it for editing. It starts only when you start it.',
};

/**
 * An entry that was being sent when the program ended is sent again; its UniqueId ensures that there is only one run.
 */
export const isWaiting = ({ State }: Pick<StoredEntry, 'State'>): boolean => State === 'waiting' || State === 'sending';

/** The entry is not sent while the user edits it in its form. */
export const forEditing = (): Pick<StoredEntry, 'State' | 'Why'> => ({ State: 'needsYou', Why: WHY.edited });

/** Returns why an entry must not be started without asking the user; null if it may be started. */
export function heldBack({ wanted, seen }: StoredEntry, now: number): Pick<StoredEntry, 'State' | 'Why'> | null {
  if (now < seen - CLOCK_TOLERANCE) return { State: 'needsYou', Why: WHY.clock };
  if (now - wanted > OLD) return { State: 'expired', Why: WHY.expired };
  return now - wanted > HOUR ? { State: 'needsYou', Why: WHY.old } : null;
}

/** @param before the entry before it was sent */
export function afterwards(outcome: Outcome, before: StoredEntry): Partial<StoredEntry> {
  switch (outcome.kind) {
    case 'started':
      return { State: 'started', Why: '', RunId: outcome.runId, MayHaveStarted: false, NewestVersion: null };
    case 'away':
      return { State: 'waiting', Why: '' };
    case 'signedOut':
      return { State: 'waiting', Why: WHY.signedOut };
    case 'closed':
      return { State: 'waiting', Why: outcome.why, MayHaveStarted: before.MayHaveStarted };
    case 'outdated':
      return {
        State: 'needsYou',
        Why: `The activity is now at version ${outcome.newest}.`,
        NewestVersion: outcome.newest,
        MayHaveStarted: false,
      };
    case 'refused':
      return { State: 'needsYou', Why: outcome.why, ...(outcome.isSure ? { MayHaveStarted: false } : {}) };
  }
}

export function newEntry(
  start: StartBody,
  { ActivityName, Form, userName, now }: { ActivityName: string; Form: string; userName: string; now: number },
): StoredEntry {
  return {
    Id: randomBytes(8).toString('hex'),
    ActivityId: start.ActivityId,
    ActivityName,
    ActivityVersion: start.ActivityVersion,
    QueueTime: new Date(now).toISOString(),
    State: 'waiting',
    Why: '',
    RunId: null,
    NewestVersion: null,
    FileNames: start.Inputs.flatMap(({ FileName }) => FileName ?? []),
    MayHaveStarted: false,
    userName,
    start,
    form: Form,
    wanted: now,
    seen: now,
    uploads: {},
  };
}

export function parseStart(text: string): StartBody | null {
  try {
    const start: unknown = JSON.parse(text);
    return Value.Check(StartBody, start) ? start : null;
  } catch {
    return null;
  }
}

export function shown(entry: StoredEntry): OutboxEntry {
  const {
    userName: _user,
    start: _start,
    form: _form,
    wanted: _wanted,
    seen: _seen,
    uploads: _uploads,
    ...rest
  } = entry;
  return rest;
}
