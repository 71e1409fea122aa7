import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { RunLogLine, RunOutcome } from '#server/executors/executor.ts';
import { findInstalledOffice } from '#server/executors/libreoffice/find-office.ts';
import type { InstalledOffice } from '#server/executors/libreoffice/find-office.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { createWorkbookExecutor } from './workbook-executor.ts';
import type { WorkbookExecutor } from './workbook-executor.ts';

const executors: WorkbookExecutor[] = [];
const executorWith = (office: InstalledOffice | null): WorkbookExecutor => {
  const executor = createWorkbookExecutor({ threads: 1, formThreads: 1, office });
  executors.push(executor);
  return executor;
};
const folder = mkdtempSync(join(tmpdir(), 'runsheet-second-engine-'));
afterAll(async () => {
  await Promise.all(executors.map((executor) => executor.close()));
  rmSync(folder, { recursive: true, force: true });
});

const never = new AbortController().signal;
/** LibreOffice converts a TRUE that is joined to a text to 1; Excel and our own engine convert it to 'TRUE'. */
const bookOf = (saved: string): Promise<Buffer> => {
  const cells: Record<string, CellSpec> = {
    A1: 1,
    A2: { formula: '"a"&(A1=1)', value: saved },
    A3: { formula: 'A2&"!"', value: `${saved}!` },
  };
  return buildWorkbook({ sheets: [{ name: 'S', cells }], names: { in_X: 'S!$A$1', out_Y: 'S!$A$3' } });
};

let versions = 0;
const INPUT = { sheet: 0, block: { top: 0, left: 0, bottom: 0, right: 0 } };

async function inspect(executor: WorkbookExecutor, bytes: Buffer) {
  const { definition, fidelity, problems } = await executor.inspect(
    { fileName: 'Book.xlsx', bytes, acceptUnsupported: [] },
    never,
  );
  expect(problems).toEqual([]);
  return { definition: definition!, fidelity: fidelity! };
}

async function run(
  executor: WorkbookExecutor,
  definition: ActivityDefinition,
  bytes: Buffer,
): Promise<RunOutcome & { log: RunLogLine[] }> {
  const log: RunLogLine[] = [];
  const outcome = await executor.run({
    versionKey: `1/${(versions += 1)}`,
    definition,
    fileName: 'Book.xlsx',
    readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
    inputs: [{ Name: 'X', value: '2', files: [] }],
    timeLimit: 60_000,
    signal: never,
    onLog: (line) => log.push(line),
    onProgress: () => undefined,
  });
  return { ...outcome, log };
}

/** A program that creates a marker file when it is started, and then exits. */
function brokenOffice(): { office: InstalledOffice; mark: string } {
  const mark = join(folder, 'started');
  const program = join(folder, 'soffice.bin');
  writeFileSync(program, `#!/bin/sh\necho started > '${mark}'\nexit 1\n`);
  chmodSync(program, 0o755);
  return { office: { program, version: '1.0' }, mark };
}

const MISSING = /^This version of the activity is calculated with LibreOffice, which this server does not have\./;

describe('LibreOffice as a second engine', () => {
  it('is asked only where our own differs from Excel, and breaks no upload where it does not start', async () => {
    const { office, mark } = brokenOffice();
    const executor = executorWith(office);
    const equal = await inspect(executor, await bookOf('aTRUE'));
    expect(equal).toMatchObject({ definition: { engine: 'runsheet' }, fidelity: { Engine: 'Runsheet', Different: 0 } });
    expect(existsSync(mark)).toBe(false);
    const [thread] = executor.inspectPool.threads();
    const different = await inspect(executor, await bookOf('a1'));
    expect(existsSync(mark)).toBe(true);
    expect(different).toMatchObject({
      definition: { engine: 'runsheet' },
      fidelity: { Engine: 'Runsheet', Different: 2 },
    });
    expect(executor.inspectPool.threads()).toEqual([thread]);
  });

  it('ends runs and forms of its versions with the reason where it is missing', async () => {
    const executor = executorWith(null);
    const bytes = await bookOf('a1');
    const definition = { ...(await inspect(executor, bytes)).definition, engine: 'libreoffice' };
    const { status, outputs, files, log } = await run(executor, definition, bytes);
    expect({ status, outputs, files }).toEqual({ status: 'Failed', outputs: [], files: [] });
    expect(log).toEqual([{ Message: expect.stringMatching(MISSING), StatusCode: 1510, Category: 3 }]);
    const form = await executor.updateForm({
      versionKey: '1/1',
      formKey: 'form',
      definition,
      readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
      inputs: [],
      timeLimit: 10_000,
    });
    expect(form).toEqual({ refusal: expect.stringMatching(MISSING) });
  });
});

describe('versions of the engine that earlier releases had', () => {
  const GONE =
    /^This version of the activity was published with a calculation engine that Runsheet no longer uses, and the current one differs from the value saved in S!A2\. /;

  it.each(['ironcalc', undefined])('are calculated with ours where that agrees with the file: %s', async (engine) => {
    const executor = executorWith(null);
    const bytes = await bookOf('aTRUE');
    const { definition } = await inspect(executor, bytes);
    const old = { ...definition, engine } as ActivityDefinition;
    const { outputs, log } = await run(executor, old, bytes);
    expect({ outputs, log }).toEqual({ outputs: [{ Name: 'Y', Value: '"aFALSE!"', Rows: null }], log: [] });
  });

  it('end with the reason where ours comes to something else, if an output depends on it', async () => {
    const executor = executorWith(null);
    const bytes = await bookOf('a1');
    const definition = { ...(await inspect(executor, bytes)).definition, engine: 'ironcalc' };
    const { status, log } = await run(executor, definition, bytes);
    expect(status).toBe('Failed');
    expect(log).toEqual([{ Message: expect.stringMatching(GONE), StatusCode: 1510, Category: 3 }]);
    const input = { ...definition, outputs: definition.outputs.map((output) => ({ ...output, location: INPUT })) };
    expect(await run(executor, input, bytes)).toMatchObject({ outputs: [{ Value: '2' }] });
  });
});

const installed = findInstalledOffice('');

describe.skipIf(installed === null)(
  `LibreOffice beside our own engine${installed ? '' : ' (skipped: it is not installed here)'}`,
  () => {
    it('calculates the versions in which it agrees better with the saved values', async () => {
      const executor = executorWith(installed);
      const bytes = await bookOf('a1');
      const { definition, fidelity } = await inspect(executor, bytes);
      expect(definition.engine).toBe('libreoffice');
      expect(fidelity).toMatchObject({ Engine: `LibreOffice ${installed!.version}`, Formulas: 2, Different: 0 });
      expect(fidelity.Engine).toMatch(/^LibreOffice \d+\.\d+$/);
      const { status, outputs, log } = await run(executor, definition, bytes);
      expect(log).toEqual([]);
      expect({ status, outputs }).toEqual({
        status: 'Succeeded',
        outputs: [{ Name: 'Y', Value: '"a0!"', Rows: null }],
      });
    });
  },
);
