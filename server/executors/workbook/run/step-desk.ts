/** Answers the requests that the steps of one run send from their thread, and cleans up after the run. */
import type { StepAsk, StepRows, StepServices } from '#server/executors/step-services.ts';

export interface StepDesk {
  answer(ask: StepAsk): Promise<unknown>;
  /** Ends the run's open queries. Settles when nothing of the run is in progress any more. */
  close(): Promise<void>;
}

export function createStepDesk(services: StepServices): StepDesk {
  const queries = new Map<number, AsyncGenerator<StepRows, void, void>>();
  const working = new Set<Promise<unknown>>();
  let opened = 0;

  const answer = (ask: StepAsk): unknown => {
    switch (ask.kind) {
      case 'sendMail':
        return services.sendMail(ask.mail);
      case 'prompt':
        return services.prompt(ask.prompt);
      case 'toPdf':
        return services.toPdf(ask.workbook);
      case 'newestFile':
        return services.newestFile(ask.wanted);
      case 'write':
        return services.write(ask.write);
      case 'start':
        return services.start(ask.start);
      case 'openQuery':
        queries.set(++opened, services.query(ask.query));
        return opened;
      case 'rows':
        return nextRows(queries, ask.query);
      case 'closeQuery':
        return endQuery(queries, ask.query);
    }
  };

  return {
    async answer(ask) {
      const work = Promise.resolve().then(() => answer(ask));
      working.add(work);
      try {
        return await work;
      } finally {
        working.delete(work);
      }
    },
    async close() {
      await Promise.allSettled(working);
      await Promise.allSettled([...queries.keys()].map((query) => endQuery(queries, query)));
    },
  };
}

type Queries = Map<number, AsyncGenerator<StepRows, void, void>>;

async function nextRows(queries: Queries, query: number): Promise<StepRows | null> {
  const rows = queries.get(query);
  if (!rows) throw new Error(`The run has no query ${query}`);
  const { done, value } = await rows.next();
  if (done) queries.delete(query);
  return done ? null : value;
}

async function endQuery(queries: Queries, query: number): Promise<void> {
  const rows = queries.get(query);
  queries.delete(query);
  await rows?.return();
}
