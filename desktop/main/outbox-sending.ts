/**
 * One attempt to send a waiting start: its files first, then the start. Its UniqueId ensures that there is only one
 * run, however often it is sent.
 */
import { CONTRACT_VERSION_HEADER } from '#shared/contract/headers.ts';
import { uploadFiles } from '#shared/contract/files.ts';
import { StartConflict, startRun, type StartBody } from '#shared/contract/runs.ts';
import { Value } from 'typebox/value';
import { SPOOL_ID, type OutboxStore, type StoredEntry } from './outbox-store.ts';
import type { NetInit } from './ports.ts';

/** Makes a call as the signed-in user. Rejects if no response arrived. @param path as in the contract */
export type SendCall = (path: string, init: Pick<NetInit, 'method' | 'headers' | 'body'>) => Promise<Response>;

export type Outcome =
  | { kind: 'started'; runId: number }
  /** The server did not respond: retry later. */
  | { kind: 'away' }
  /** The session has ended: retry after a sign-in. */
  | { kind: 'signedOut' }
  /** The server currently accepts no starts and has not started this one: retry later. */
  | { kind: 'closed'; why: string }
  | { kind: 'outdated'; newest: number }
  /** `isSure` is true if there is certainly no run. */
  | { kind: 'refused'; why: string; isSure: boolean };

export interface SendingDeps {
  store: OutboxStore;
  send: SendCall;
  now: () => number;
  /** Writes the current knowledge about the entry before the next step. */
  note(changes: Partial<StoredEntry>): Promise<void>;
}

/** Milliseconds for which an upload is reused; the server deletes unused uploads after a day. */
const UPLOAD_LASTS = 60 * 60_000;

export async function sendStart(entry: StoredEntry, deps: SendingDeps): Promise<Outcome> {
  let { uploads } = entry;
  try {
    const replaced = await withUploads(entry.start, {
      ...deps,
      known: (id) => {
        const upload = uploads[id];
        return upload && deps.now() - upload.at < UPLOAD_LASTS ? upload.fileId : null;
      },
      onUploaded: async (id, fileId) => {
        uploads = { ...uploads, [id]: { fileId, at: deps.now() } };
        await deps.note({ uploads });
      },
    });
    if (replaced.kind !== 'ready') return replaced;
    // From here until a response arrives, it is unknown whether a run exists.
    await deps.note({ MayHaveStarted: true });
    return await outcomeOf(await deps.send(startRun.path, jsonCall(replaced.start)));
  } catch (error) {
    if (error instanceof LocalProblem) return { kind: 'refused', why: error.message, isSure: false };
    return { kind: 'away' };
  }
}

/** Something on this computer is missing. */
class LocalProblem extends Error {}

const jsonCall = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify(body),
});

export interface UploadDeps {
  store: OutboxStore;
  send: SendCall;
  /** Returns the server's id of a file that was uploaded before; null if there is none that is still valid. */
  known: (id: string) => string | null;
  onUploaded: (id: string, fileId: string) => Promise<void>;
}

/**
 * Returns the start with the server's file ids in place of those of the local copies. Rejects if no response arrived.
 */
export async function withUploads<B extends Pick<StartBody, 'Inputs'>>(
  start: B,
  deps: UploadDeps,
): Promise<{ kind: 'ready'; start: B } | Exclude<Outcome, { kind: 'started' }>> {
  const Inputs: StartBody['Inputs'] = [];
  for (const input of start.Inputs) {
    const { FileId, ActivityParameterId } = input;
    if (FileId == null || !SPOOL_ID.test(FileId)) {
      Inputs.push(input);
      continue;
    }
    const uploaded = deps.known(FileId) ?? (await upload(FileId, ActivityParameterId, deps));
    if (typeof uploaded !== 'string') return uploaded;
    Inputs.push({ ...input, FileId: uploaded });
  }
  return { kind: 'ready', start: { ...start, Inputs } };
}

async function upload(
  id: string,
  inputId: number,
  { store, send, onUploaded }: UploadDeps,
): Promise<string | Exclude<Outcome, { kind: 'started' }>> {
  const file = await store.spooled(id);
  if (!file)
    throw new LocalProblem('A file that was copied for this start can no longer be read. Please choose it again.');
  const form = new FormData();
  form.append('ActivityInputId', String(inputId));
  form.append('LinkId', '');
  form.append('files', new Blob([file.content as BlobPart]), file.name);
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type')!, accept: 'application/json' };
  const body = new Uint8Array(await encoded.arrayBuffer());
  const response = await send(uploadFiles.path, { method: 'POST', headers, body });
  const answer = (await response.json().catch(() => null)) as { Items?: { Id?: unknown }[] } | null;
  const fileId = answer?.Items?.[0]?.Id;
  if (response.status === 200 && typeof fileId === 'string') {
    await onUploaded(id, fileId);
    return fileId;
  }
  const outcome = failureOf(response, answer);
  return outcome.kind === 'refused' ? { ...outcome, why: `${file.name}: ${outcome.why}` } : outcome;
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const answer = (await response.json()) as { result?: { Id?: unknown } } | null;
  const runId = answer?.result?.Id;
  if (response.status === 200 && typeof runId === 'number') return { kind: 'started', runId };
  return failureOf(response, answer);
}

/** Statuses of a reachable server that cannot handle the call now. */
const LATER = new Set([408, 429, 502, 503, 504]);
/** Status during maintenance. */
const CLOSED = 423;

function failureOf(response: Response, answer: unknown): Exclude<Outcome, { kind: 'started' }> {
  const { status, headers } = response;
  // A response from a proxy in place of the server is not a refusal.
  if (LATER.has(status) || !headers.has(CONTRACT_VERSION_HEADER)) return { kind: 'away' };
  if (status === 401) return { kind: 'signedOut' };
  const why = textOf(answer) || 'The server could not process it';
  if (status === CLOSED) return { kind: 'closed', why };
  if (status === 409 && Value.Check(StartConflict, answer) && answer.ActivityVersion !== undefined) {
    return { kind: 'outdated', newest: answer.ActivityVersion };
  }
  return { kind: 'refused', why, isSure: status < 500 };
}

function textOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return '';
  const { message, Message, modelState } = answer as Record<string, unknown>;
  const fields = Object.entries((modelState ?? {}) as Record<string, string[]>).map(
    ([name, texts]) => `${name === '' ? '' : `${name}: `}${texts.join(', ')}`,
  );
  const main = typeof message === 'string' ? message : typeof Message === 'string' ? Message : '';
  return [main, ...fields.filter((text) => !main.includes(text))].filter((text) => text !== '').join(' ');
}
