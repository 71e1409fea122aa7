/** The sample activities. The first start publishes them once, on behalf of the administrator. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { addTestBed, type NewTestBed } from '#server/features/test-beds/test-beds-service.ts';
import type { Publisher } from '#server/access/require-create.ts';
import type { PublishService } from '#server/features/versions/publish-service.ts';
import { discardAfter } from '#server/files/discard-after.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { Log } from '#server/base/log.ts';
import { closed } from '#shared/contract/endpoint.ts';

/** The folder of samples that comes with the program. */
export const SAMPLES_FOLDER = fileURLToPath(new URL('../../../samples', import.meta.url));

const Sample = closed({
  name: Type.String(),
  schema: Type.String(),
  group: Type.String(),
  function: Type.String(),
  description: Type.String(),
  /** Name of the workbook in samples/files. */
  file: Type.String({ pattern: '^[a-z0-9-]+\\.xlsx$' }),
  /** True if the first start publishes it; otherwise it is only a file to download. Defaults to true. */
  published: Type.Optional(Type.Boolean()),
  /** Example inputs, for tests and people. */
  examples: Type.Array(closed({ title: Type.String(), inputs: Type.Record(Type.String(), Type.Unknown()) })),
  /** Test cases that it is published with, and conditions that must hold between the outputs of each. */
  testCases: Type.Optional(
    Type.Array(
      closed({
        title: Type.String(),
        inputs: Type.Record(Type.String(), Type.Unknown()),
        expected: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
  ),
  checks: Type.Optional(
    Type.Array(closed({ name: Type.String(), expression: Type.String(), tolerance: Type.Number() })),
  ),
});
type Sample = Static<typeof Sample>;
const SampleIndex = Type.Array(Sample);

/**
 * Key in Settings that records that the samples were published. If somebody changes or deletes them, they are not
 * published again.
 */
const DONE = 'SamplesPublished';

export interface SamplesDeps {
  database: Database;
  publishing: PublishService;
  files: FileStore;
  log: Log;
  folder?: string;
}

/**
 * Returns the names of the published samples. If several servers start at the same time, one publishes and the others
 * continue.
 */
export async function publishSamples(deps: SamplesDeps, publisher: Publisher): Promise<string[]> {
  const { knex, dialect } = deps.database;
  if (await knex('Settings').where('Name', DONE).first()) return [];
  return knex.transaction(async (trx) => {
    if (!(await dialect.tryLock(trx, 'runsheet.samples'))) return [];
    if (await trx('Settings').where('Name', DONE).first()) return [];
    const published: string[] = [];
    for (const sample of await readIndex(deps.folder ?? SAMPLES_FOLDER)) {
      if (sample.published !== false && (await publishSample(deps, publisher, sample))) published.push(sample.name);
    }
    await trx('Settings').insert({ Name: DONE, Value: JSON.stringify(published) });
    return published;
  });
}

/** Reads the index of the samples, with their names and workbooks. */
export async function readIndex(folder: string): Promise<Sample[]> {
  const index: unknown = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
  const parsed = Value.Parse(SampleIndex, index);
  return parsed;
}

async function publishSample(
  { database, publishing, files, log, folder = SAMPLES_FOLDER }: SamplesDeps,
  publisher: Publisher,
  sample: Sample,
): Promise<boolean> {
  const { name, schema, group, function: Function, description, file } = sample;
  const stored = await files.put(await readFile(join(folder, 'files', file)));
  try {
    const texts = { Name: name, Schema: schema, Group: group, Function, Description: description };
    const sent = { ...texts, SingleRun: 'false' };
    const workbook = { FileName: file, stored };
    const { Id } = await publishing.publish(publisher, sent, workbook, new AbortController().signal);
    await addTestBed(database, { ActivityId: Id, UserId: publisher.UserId }, bedOf(sample)).catch((err: unknown) =>
      log.warn({ err, file }, 'the test cases of a sample could not be stored'),
    );
    return true;
  } catch (err) {
    await discardAfter(files, [stored.key], err);
    // An interrupted start has already published some of them.
    if (!(err instanceof AppError) || err.code !== 'activityNameTaken') {
      log.warn({ err, file }, 'could not publish a sample');
    }
    return false;
  }
}

function bedOf({ testCases = [], checks = [] }: Sample): NewTestBed {
  return {
    Cases: testCases.map(({ title, inputs, expected }) => ({
      Name: title,
      Status: 'Succeeded',
      Inputs: Object.entries(inputs).map(([Name, value]) => ({
        Name,
        Value: JSON.stringify(value),
        UseDefault: false,
      })),
      Expected: Object.entries(expected).map(([Name, value]) => ({
        Name,
        Value: JSON.stringify(value),
        Tolerance: 0,
        RelativeTolerance: 0,
      })),
    })),
    Checks: checks.map(({ name, expression, tolerance }) => ({
      Name: name,
      Expression: expression,
      Tolerance: tolerance,
    })),
  };
}
