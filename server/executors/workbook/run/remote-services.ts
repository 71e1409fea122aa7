/**
 * StepServices for a worker thread. Each call is a message to the main thread, because only the main thread has access
 * to the outside.
 */
import type { FoundFile } from '#server/executors/folder-files.ts';
import type { StepAsk, StepQuery, StepRows, StepServices, WrittenRows } from '#server/executors/step-services.ts';

/** Returns the answer of the main thread's StepDesk; rejects with its refusal. */
export type AskMain = (ask: StepAsk) => Promise<unknown>;

export function createRemoteServices(ask: AskMain): StepServices {
  return {
    sendMail: async (mail) => (await ask({ kind: 'sendMail', mail })) as { recipients: number },
    prompt: async (prompt) => (await ask({ kind: 'prompt', prompt })) as { value: string } | null,
    toPdf: async (workbook) => (await ask({ kind: 'toPdf', workbook })) as Uint8Array,
    newestFile: async (wanted) => (await ask({ kind: 'newestFile', wanted })) as FoundFile | null,
    write: async (write) => (await ask({ kind: 'write', write })) as WrittenRows,
    start: async (start) => void (await ask({ kind: 'start', start })),
    query: (query) => rowsOf(ask, query),
  };
}

async function* rowsOf(ask: AskMain, sent: StepQuery): AsyncGenerator<StepRows, void, void> {
  const query = (await ask({ kind: 'openQuery', query: sent })) as number;
  let isOpen = true;
  try {
    for (;;) {
      const batch = (await ask({ kind: 'rows', query })) as StepRows | null;
      if (batch === null) {
        isOpen = false;
        return;
      }
      yield batch;
    }
  } finally {
    if (isOpen) await ask({ kind: 'closeQuery', query });
  }
}
