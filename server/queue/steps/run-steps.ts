/** The services that the steps of runs can use. */
import type { Holder } from '#server/base/person.ts';
import { wrapConnectionAccess, type ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { RunLogLine } from '#server/executors/executor.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import type { StepServices } from '#server/executors/step-services.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import { checkStart, type FindStartable } from '#server/queue/check-start.ts';
import type { NewRunStart } from '#server/queue/run-starts.ts';
import type { MailSender } from '#server/mail/mail-sender.ts';
import { PdfError } from '#server/pdf/pdf-converter.ts';
import type { PdfConverter } from '#server/pdf/pdf-converter.ts';
import type { AskDatabase } from '#server/queue/until-reachable.ts';
import { runHolder } from './run-holder.ts';
import { askPrompt } from './run-prompts.ts';
import { readNewestFile } from './step-folder.ts';
import { sendStepMail } from './step-mail.ts';
import { readStepRows } from './step-query.ts';
import { writeStepRows } from './write/step-write.ts';

export interface RunStepsDeps {
  database: Database;
  mail: MailSender;
  mailDomains: readonly string[];
  /** Null if no converter is installed. */
  pdf: PdfConverter | null;
  connections: ConnectionAccess;
  folders: StaticFolders;
  /** Returns the person on whose behalf a run executes; undefined if the person no longer exists. */
  findHolder: (userId: number) => Promise<Holder | undefined>;
  findStartable: FindStartable;
}

/** The run whose step uses the services. */
export interface AskingRun {
  Id: number;
  /** Aborting it ends whatever is in progress. */
  signal: AbortSignal;
  say: (line: RunLogLine) => void;
  ask: AskDatabase;
  /**
   * Writes that the run has started. Called before each step that has effects outside the portal, so no other worker
   * repeats the step.
   */
  writeStart: () => Promise<void>;
  /** Called when the run waits for a person and needs no slot in the meantime. */
  onWaiting?: (() => void) | undefined;
  /** Collects the requests of the run's Start steps. */
  starts?: NewRunStart[];
}

export interface RunSteps {
  servicesFor(run: AskingRun): StepServices;
}

export function createRunSteps(deps: RunStepsDeps): RunSteps {
  return { servicesFor: (run) => servicesFor(deps, run) };
}

function servicesFor(deps: RunStepsDeps, run: AskingRun): StepServices {
  const { database, mail, mailDomains, pdf, findStartable } = deps;
  const { Id, signal, say, ask, writeStart, onWaiting, starts = [] } = run;
  const connections = wrapConnectionAccess(deps.connections, ask);
  const holderFor = async (purpose: string): Promise<Holder> => {
    const holder = await ask(() => runHolder(database, Id, deps.findHolder));
    if (!holder) throw new StepRefused('Failed', `The person who started the run may no longer ${purpose}`);
    return holder;
  };
  return {
    sendMail: async (sent) => {
      await writeStart();
      return sendStepMail(mail, { mailDomains }, sent, signal);
    },
    prompt: async (asked) => {
      onWaiting?.();
      await writeStart();
      return askPrompt(database, Id, asked, { signal, say, ask });
    },
    toPdf: (workbook) => toPdf(pdf, workbook, signal),
    query: async function* (query) {
      const holder = await holderFor('use connections');
      await writeStart();
      yield* readStepRows(connections, holder, query, signal);
    },
    newestFile: (wanted) => readNewestFile(deps.folders, wanted),
    start: async (start) => {
      const holder = await holderFor('start other activities');
      const check = { knex: database.knex, findStartable };
      starts.push(await ask(() => checkStart(check, { Id, holder }, start, starts)));
    },
    write: async (written) => {
      const holder = await holderFor('use connections');
      await writeStart();
      return writeStepRows(connections, holder, written, signal);
    },
  };
}

async function toPdf(pdf: PdfConverter | null, workbook: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  if (!pdf) throw new StepRefused('LogicError', 'This server has no converter for PDF files');
  try {
    return await pdf.convert(workbook, signal);
  } catch (error) {
    throw error instanceof PdfError ? new StepRefused('Failed', error.message, { cause: error }) : error;
  }
}
