/** A client that repeats a call until it has a response, like a user's browser. */
import { setTimeout as pause } from 'node:timers/promises';
import type { StartResult } from '#shared/contract/runs.ts';

/**
 * A call without a response is abandoned after this time. It is longer than a call must wait on a machine that starts
 * other servers.
 */
const ANSWER_TIMEOUT_MS = 120_000;

export interface PortalClient {
  upload(fields: Record<string, string>, fileName: string, bytes: Uint8Array): Promise<number>;
  inputId(activityId: number): Promise<number>;
  /** Undefined if `signal` ended the attempts. */
  start(
    activityId: number,
    uniqueId: string,
    inputId: number,
    value: number,
    signal: AbortSignal,
  ): Promise<number | undefined>;
  cancel(runId: number): Promise<void>;
  /** Number of queued and running runs; undefined while the portal does not respond. */
  pending(): Promise<number | undefined>;
  /** Number of succeeded runs, at most `most`; undefined while the portal does not respond. */
  succeeded(limit: number): Promise<number | undefined>;
}

export function portalClient(address: () => string | null, token: string): PortalClient {
  const headers = { authorization: `Bearer ${token}` };

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const base = address();
    if (base === null) throw new Error('the server is away');
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(`${base}${path}`, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string>) },
      signal,
    });
    // The server is reachable, but its database is not or has no space left.
    if (answer.status === 503 || answer.status === 507) throw new Error('the database is away');
    return answer;
  }

  return {
    upload: async (fields, fileName, bytes) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set('file', new Blob([new Uint8Array(bytes)]), fileName);
      const answer = await call('/api/activities/create', { method: 'POST', body: form });
      const body = (await answer.json()) as { Id?: number };
      if (body.Id === undefined) throw new Error(`the upload failed: ${JSON.stringify(body)}`);
      return body.Id;
    },
    inputId: async (activityId) => {
      const answer = await call(`/api/activities/details/${activityId}`);
      const { result } = (await answer.json()) as { result: { Inputs: { Id: number }[] } };
      return result.Inputs[0]!.Id;
    },
    start: async (ActivityId, UniqueId, inputId, value, signal) => {
      const Inputs = [{ ActivityParameterId: inputId, Value: String(value) }];
      const body = JSON.stringify({ ActivityId, ActivityVersion: 1, UniqueId, Inputs });
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      while (!signal.aborted) {
        let answer: Response;
        let text: string;
        try {
          answer = await call('/api/activities/start', init);
          text = await answer.text();
        } catch {
          await pause(50);
          continue;
        }
        if (answer.status !== 200) throw new Error(`the start was refused: ${answer.status} ${text}`);
        return (JSON.parse(text) as { result: StartResult }).result.Id;
      }
      return undefined;
    },
    pending: async () => {
      try {
        const answer = await call('/api/activities/pendingruns');
        const { result } = (await answer.json()) as { result: { Items: unknown[] } };
        return result.Items.length;
      } catch {
        return undefined;
      }
    },
    succeeded: async (limit) => {
      const body = JSON.stringify({ ActivityId: null, ApproxRows: limit, PrevRunId: null, Statuses: ['Succeeded'] });
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      try {
        const answer = await call('/api/activities/runhistory', init);
        const { result } = (await answer.json()) as { result: { Runs: unknown[] } };
        return result.Runs.length;
      } catch {
        return undefined;
      }
    },
    cancel: async (runId) => {
      await call(`/api/activities/cancel/${runId}`, { method: 'POST' }).catch(() => {});
    },
  };
}
