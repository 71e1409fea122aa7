/** System notifications about runs: the portal's notifications and runs that succeeded. Each is shown only once. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import {
  notifications,
  succeededRuns,
  SucceededRuns,
  type Notification,
  type SucceededRun,
} from '#shared/contract/notifications.ts';
import { DEFAULT_CHOICES, notificationChoices } from '#shared/contract/notification-choices.ts';
import { say } from './language.ts';
import { otherMessages, type OtherMessage } from './other-messages.ts';
import type { Files, Log, Notifier } from './ports.ts';
import type { RunMessagesWanted } from './preferences.ts';
import { ShownChoices, ShownList } from './shown-list.ts';

export interface RunMessagesDeps {
  notifier: Notifier;
  files: Files;
  log: Log;
  /** File that records what was shown. */
  file: string;
  /** Calls the server. @param path path of the call, with its query */
  ask: (path: string, token: string, signal: AbortSignal) => Promise<Response>;
  /** Null while nobody is signed in. */
  token: () => string | null;
  /** Returns whether the user is looking at this page of the portal. @param path path without a trailing slash */
  isInView: (path: string) => boolean;
  /** Returns for which runs the user wants notifications; only for problems if absent. */
  runMessages?: () => RunMessagesWanted;
  /** Brings the client to the front at a path of the portal. */
  open: (path: string) => void;
}

export interface RunMessages {
  /** Fetches the current notifications from the server and shows the new ones. Rejects if the server is unreachable. */
  showNew(token: string, signal: AbortSignal): Promise<void>;
}

/** More notifications than this at a time are combined into one. */
const SINGLE_MESSAGES = 3;
const MAX_STORED_IDS = 200;
const HISTORY = '/activities/runhistory/';
/** Categories from here on are warnings and errors (shared/contract/notifications.ts). */
const PROBLEM = 2;
/** A run is long if it took longer than this from its queue time to its end. */
const LONG_MS = 60_000;
/** An end may be stored a little later than the time it carries. */
const OVERLAP_MS = 60_000;

const ShownRecord = Type.Object({
  ids: Type.Array(Type.String()),
  /** The newest time among the portal's notifications, in milliseconds since 1970. */
  until: Type.Number(),
  /** Time of the server up to which succeeded runs are known. Absent before the first query. */
  succeededUntil: Type.Optional(Type.String()),
});
type ShownRecord = Static<typeof ShownRecord>;

interface RunNotification extends OtherMessage {
  /** True for a run that succeeded. */
  isSuccess?: boolean;
}

export function createRunMessages(deps: RunMessagesDeps): RunMessages {
  /** Also held in memory, because writing it may fail. */
  let shown: ShownRecord | null = null;
  return {
    showNew: async (token, signal) => {
      const get = async (path: string): Promise<unknown> => {
        const response = await deps.ask(path, token, signal);
        return response.ok ? ((await response.json()) as { result?: unknown }).result : null;
      };
      const stored = await get(notificationChoices.path);
      // Servers of an earlier version do not have this call.
      const choices = Value.Check(ShownChoices, stored) ? stored : DEFAULT_CHOICES;
      const list = await get(notifications.path);
      if (!Value.Check(ShownList, list)) return;
      const before = shown ?? parseShown(await deps.files.read(deps.file).catch(() => null));
      const succeeded = await get(succeededSince(before));
      // Servers of an earlier version do not have this call.
      const { Items, Until } = Value.Check(SucceededRuns, succeeded) ? succeeded : NOTHING;
      // After a sign-out, notifications wait for the next sign-in.
      if (deps.token() !== token) return;
      const wanted = deps.runMessages?.() ?? 'problems';
      const isOfRuns = choices.Runs.Desktop;
      const ofRuns = list.Items.map(bellNotification).map((one) => ({ ...one, isWanted: one.isWanted && isOfRuns }));
      const problems = [...ofRuns, ...otherMessages(list, choices)];
      const successes = Items.map((run) => successNotification(run, isOfRuns ? wanted : 'problems'));
      const fresh = before ? freshOf(before, problems, successes) : [];
      const isShown = ({ isWanted, path }: RunNotification): boolean =>
        isWanted && !deps.isInView(path.replace(/\/$/, ''));
      // Recorded before they are shown. A repeated notification after a crash would be worse than a missing one, which
      // is still listed in the portal.
      shown = await storeShown(deps, { before, problems, successes, Until });
      show(deps, combineSuccesses(fresh.filter(isShown)));
    },
  };
}

const NOTHING: { Items: SucceededRun[]; Until?: string } = { Items: [] };

function succeededSince(before: ShownRecord | null): string {
  const until = Date.parse(before?.succeededUntil ?? '');
  if (Number.isNaN(until)) return succeededRuns.path;
  return `${succeededRuns.path}?Since=${encodeURIComponent(new Date(until - OVERLAP_MS).toISOString())}`;
}

/** Oldest first, so that the newest is on top. */
function freshOf(
  before: ShownRecord,
  problems: readonly RunNotification[],
  successes: readonly RunNotification[],
): RunNotification[] {
  const recent = problems.filter(({ time }) => time >= before.until);
  return [...recent, ...successes].filter(({ id }) => !before.ids.includes(id)).toSorted((a, b) => a.time - b.time);
}

/**
 * The id includes the log entry: a different message about the same run is new. Scheduled runs that succeeded are
 * covered by the succeeded runs.
 */
const bellNotification = ({
  ActivityRunId,
  LogEntryId,
  ActivityName,
  Message,
  Category,
  Time,
}: Notification): RunNotification => ({
  id: `${ActivityRunId}/${LogEntryId}`,
  title: ActivityName,
  body: Message,
  path: `/activities/runstatus/${ActivityRunId}/`,
  time: Date.parse(Time),
  isWanted: Category >= PROBLEM,
});

const FOLDERS: Readonly<Record<SucceededRun['Kind'], string>> = {
  Activity: 'activities',
  Checklist: 'checklists',
  Workflow: 'workflows',
};

function successNotification(
  { RunId, Kind, Name, QueueTime, EndTime }: SucceededRun,
  wanted: RunMessagesWanted,
): RunNotification {
  const isLong = Date.parse(EndTime) - Date.parse(QueueTime) > LONG_MS;
  return {
    id: `${Kind} ${RunId}`,
    title: Name,
    body: say('The run was successful'),
    path: `/${FOLDERS[Kind]}/runstatus/${RunId}/`,
    time: Date.parse(EndTime),
    isWanted: wanted === 'all' || (wanted === 'long' && isLong),
    isSuccess: true,
  };
}

/** Combines runs of the same name that succeeded: '97 runs succeeded'. */
function combineSuccesses(fresh: readonly RunNotification[]): RunNotification[] {
  const groups = new Map<string, RunNotification[]>();
  for (const one of fresh) {
    const key = one.isSuccess ? JSON.stringify([one.title]) : one.id;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const last = group.at(-1);
    if (!last || group.length === 1) return group;
    return [{ ...last, body: say('{count} runs succeeded', { count: String(group.length) }), path: HISTORY }];
  });
}

interface Known {
  before: ShownRecord | null;
  problems: readonly RunNotification[];
  successes: readonly RunNotification[];
  /** From the result about succeeded runs; absent if there was none. */
  Until?: string | undefined;
}

async function storeShown({ files, file, log }: RunMessagesDeps, known: Known): Promise<ShownRecord> {
  const { before, problems, successes, Until = before?.succeededUntil } = known;
  const all = [...successes, ...problems].map(({ id }) => id);
  const next: ShownRecord = {
    ids: [...new Set([...all, ...(before?.ids ?? [])])].slice(0, MAX_STORED_IDS),
    until: Math.max(before?.until ?? 0, ...problems.map(({ time }) => time)),
    ...(Until === undefined ? {} : { succeededUntil: Until }),
  };
  try {
    await files.write(file, JSON.stringify(next));
  } catch (error) {
    log('the record of shown run messages could not be saved', error);
  }
  return next;
}

function parseShown(text: string | null): ShownRecord | null {
  try {
    const content: unknown = JSON.parse(text ?? 'null');
    return Value.Check(ShownRecord, content) ? content : null;
  } catch {
    return null;
  }
}

function show({ notifier, open }: RunMessagesDeps, fresh: readonly RunNotification[]): void {
  if (fresh.length > SINGLE_MESSAGES) {
    const names = [...new Set(fresh.toReversed().map(({ title }) => title))].slice(0, SINGLE_MESSAGES).join(', ');
    const title = say('Updates on {count} runs', { count: String(fresh.length) });
    notifier.show({ title, body: names, onClick: () => open(HISTORY), path: HISTORY });
    return;
  }
  for (const { title, body, path } of fresh) notifier.show({ title, body, onClick: () => open(path), path });
}
