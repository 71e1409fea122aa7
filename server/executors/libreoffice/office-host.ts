/**
 * Entry point of the thread that manages the office process of one calculation thread. Starts the process on demand and
 * restarts it if it died.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Answer, Command, HostSettings, Results } from './messages.ts';
import { startOffice, urlIn } from './office-process.ts';
import type { OfficeProcess } from './office-process.ts';
import { Office } from './uno.ts';
import type { OfficeDocument } from './uno.ts';
import { UnoException, UrpConnection } from './urp-connection.ts';

/** Milliseconds without a call after which the office process is ended, because it holds about 200 MB. */
const IDLE = 5 * 60_000;

interface Running {
  process: OfficeProcess;
  office: Office;
  documents: Map<number, OfficeDocument>;
}

const settings = workerData as HostSettings & { port: MessagePort };
const { port } = settings;
let running: Promise<Running> | null = null;
let documents = 0;
let idle: NodeJS.Timeout | undefined;

/** The office process has ended, and its documents with it. */
class Gone extends Error {}

async function start(): Promise<Running> {
  const process = await startOffice(settings.program, settings.memoryBytes, settings.hidden);
  try {
    const connection = new UrpConnection(process.socket);
    process.socket.once('close', stop);
    return { process, office: await Office.connect(connection), documents: new Map() };
  } catch (error) {
    process.stop();
    throw error;
  }
}

function stop(): void {
  const ending = running;
  running = null;
  if (ending) void end(ending);
}

async function end(ending: Promise<Running>): Promise<void> {
  try {
    const { process } = await ending;
    process.socket.removeListener('close', stop);
    process.socket.destroy();
    process.stop();
  } catch {
    // The process never started; the caller already received the error.
  }
}

async function current(): Promise<Running> {
  running ??= start();
  try {
    return await running;
  } catch (error) {
    running = null;
    throw error;
  }
}

async function documentOf(number: number): Promise<OfficeDocument> {
  const document = running && (await running).documents.get(number);
  if (!document) throw new Gone('LibreOffice has ended');
  return document;
}

async function open(file: Uint8Array): Promise<{ number: number; document: OfficeDocument; own: Running }> {
  const own = await current();
  documents += 1;
  const name = `book${documents}.xlsx`;
  const path = join(own.process.folder, name);
  await writeFile(path, file, { mode: 0o600 });
  try {
    const document = await own.office.open(urlIn(own.process.folder, name));
    own.documents.set(documents, document);
    return { number: documents, document, own };
  } finally {
    await rm(path, { force: true });
  }
}

async function close(number: number): Promise<void> {
  const own = running && (await running);
  const document = own?.documents.get(number);
  own?.documents.delete(number);
  await document?.close();
}

async function functionNames(file: Uint8Array): Promise<string[]> {
  const { number, document } = await open(file);
  try {
    return await document.functionNames();
  } finally {
    await close(number);
  }
}

/**
 * Tests whether cells hold TRUE or FALSE, which LibreOffice stores as numbers. Evaluates ISLOGICAL on a scratch sheet
 * that nothing else uses.
 */
async function logical(document: OfficeDocument, scratch: number, references: readonly string[]): Promise<boolean[]> {
  const block: CellBlock = { top: 0, left: 0, bottom: references.length - 1, right: 0 };
  const formulas = references.map((reference) => [`=ISLOGICAL(${reference})`]);
  await document.writeFormulas(scratch, block, formulas);
  await document.calculate(false);
  const rows = await document.read(scratch, block);
  const blanks = references.map(() => [null]);
  await document.write(scratch, block, blanks);
  return rows.map(([value]) => value === 1);
}

async function executeCommand(command: Command): Promise<Results[keyof Results]> {
  switch (command.kind) {
    case 'functions':
      return functionNames(command.file);
    case 'open':
      return (await open(command.file)).number;
    case 'stop':
      stop();
      return null;
    case 'close':
      await close(command.document);
      return null;
    default:
      return onDocument(await documentOf(command.document), command);
  }
}

async function onDocument(
  document: OfficeDocument,
  command: Extract<Command, { kind: 'write' | 'calculate' | 'read' | 'errors' | 'logical' }>,
): Promise<Results[keyof Results]> {
  switch (command.kind) {
    case 'write':
      await Promise.all([
        ...command.data.map(({ sheet, block, rows }) => document.write(sheet, block, rows)),
        ...command.formulas.map(({ sheet, block, rows }) => document.writeFormulas(sheet, block, rows)),
      ]);
      return null;
    case 'calculate':
      await document.calculate(command.all);
      return null;
    case 'read':
      return document.read(command.sheet, command.block);
    case 'errors':
      return document.errors(command.sheet, command.cells);
    case 'logical':
      return logical(document, command.scratch, command.references);
  }
}

function answer(message: Answer): void {
  port.postMessage(message, []);
  Atomics.add(settings.signal, 0, 1);
  Atomics.notify(settings.signal, 0);
}

port.on('message', ({ number, command }: { number: number; command: Command }) => {
  clearTimeout(idle);
  idle = setTimeout(stop, IDLE).unref();
  executeCommand(command).then(
    (result) => answer({ number, result }),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      answer({ number, error: message, gone: !(error instanceof UnoException) });
    },
  );
});
