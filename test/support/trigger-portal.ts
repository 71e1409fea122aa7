/** A portal with an activity that triggers start, a watched folder, a database to query, and an engine of triggers. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createTriggerEngine, type TriggerEngine } from '#server/automation/triggers/trigger-engine.ts';
import type { SavedTrigger, Trigger, TriggerFiring, TriggerInput, TriggerUpdate } from '#shared/contract/triggers.ts';
import { testApp, type TestApp } from './app.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { input } from './portal.ts';
import { EMPTY_DEFINITION, insertActivity } from './runs.ts';
import { signedInUser } from './users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

export interface TriggerServer {
  app: TestApp;
  /** The connection Shop. */
  data: TestDatabase;
  /** The static folder Inbox. */
  folder: string;
  editor: Signed;
  ActivityId: number;
  engine: TriggerEngine;
  /** A test may set it: then the engine waits. */
  isPaused: boolean;
}

export const FILE: TriggerUpdate['Plan'] = { Kind: 'File', Folder: 'Inbox', Pattern: '*.csv', FileInput: 'File' };
export const from = (Name: string, From: string): TriggerInput => ({ Name, Value: null, RelativeDate: null, From });

async function startServer(): Promise<TriggerServer> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-triggers-'));
  await mkdir(join(folder, 'in'));
  const data = await testDatabase({ isPostgres: true });
  await data.knex.schema.createTable('Orders', (t) => void t.increments('Id'));
  const app = await testApp({
    settings: { staticFolders: [`Inbox=${join(folder, 'in')}`], connections: { Shop: { url: data.url } } as never },
  });
  const editor = await signedInUser(app, ['sk.RunActivity', 'sk.EditActivity', 'sk.UseConnection']);
  const inputs = [
    input('Day', { CellUsages: ['Date'], AllowDefaultValue: true, DefaultValue: '1' }),
    input('Amount', { CellUsages: ['Number'], AllowDefaultValue: true, DefaultValue: '2' }),
    input('Remark', { CellUsages: ['Text'], AllowDefaultValue: true, DefaultValue: '"-"' }),
    input('File', { CellUsages: ['FilePath'], Blanks: [true], MaxSize: [100] }),
  ];
  const definition = { ...EMPTY_DEFINITION, inputs };
  const ActivityId = await insertActivity(app.database.knex, { UserId: editor.UserId, Name: 'Close', definition });
  const isPaused = (): boolean => server.isPaused;
  const engine = createTriggerEngine({ ...app.triggerContext, signals: app.signals, isPaused });
  const server: TriggerServer = { app, data, folder, editor, ActivityId, engine, isPaused: false };
  return server;
}

/** Calls about triggers, made by the editor unless another user is named. */
function triggerCalls({ app, editor, ActivityId }: TriggerServer) {
  async function call(method: 'GET' | 'POST', url: string, payload?: object, { headers }: Signed = editor) {
    const answer = await app.http.inject({ method, url: `/api/${url}`, headers, payload });
    return { status: answer.statusCode, body: answer.json() };
  }
  const body = (more: Partial<TriggerUpdate> = {}): TriggerUpdate => ({
    Id: 0,
    OwnerId: ActivityId,
    Name: 'Rates',
    Plan: FILE,
    Inputs: [],
    TimeZone: 'Europe/Berlin',
    Overlap: 'Start',
    ...more,
  });
  async function save(more: Partial<TriggerUpdate> = {}, user = editor): Promise<SavedTrigger> {
    const answer = await call('POST', 'activities/triggers', body(more), user);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return answer.body.result;
  }
  async function triggerOf(id: number, owner = ActivityId): Promise<Trigger> {
    const { Items } = (await call('GET', `activities/triggers/${owner}`)).body.result;
    return Items.find(({ Id }: Trigger) => Id === id);
  }
  const firings = async (id: number, owner = ActivityId): Promise<string[]> =>
    (await triggerOf(id, owner)).Firings.map(({ Outcome, Message }: TriggerFiring) => `${Outcome}: ${Message}`);
  return { call, body, save, triggerOf, firings };
}

/** Runs that triggers start, or that start triggers. */
function triggerRuns({ app, editor }: TriggerServer) {
  const { knex } = app.database;
  return {
    inputsOf: async (runId: number): Promise<unknown[]> =>
      knex('RunInputs as V')
        .join('ActivityParameters as P', 'P.Id', 'V.ActivityParameterId')
        .where('V.ActivityRunId', runId)
        .orderBy('P.Id')
        .select('P.Name', 'V.Value', 'V.FileName'),
    endRun: (Id: number, Status: string): Promise<unknown> =>
      knex('ActivityRuns')
        .where({ Id })
        .update({ Status, EndTime: app.database.dialect.now(knex) }),
    runOf: async (owner: number): Promise<number> => {
      const [row] = await knex('ActivityRuns')
        .insert({ ActivityId: owner, ActivityVersion: 1, UserId: editor.UserId, Status: 'Started', MemoryCost: 0 })
        .returning('Id');
      return row.Id;
    },
  };
}

export async function startTriggerPortal() {
  const server = await startServer();
  const { app, data, editor, engine, folder } = server;
  return {
    // Tests change isPaused, which the engine reads.
    server,
    app,
    data,
    editor,
    engine,
    folder,
    ActivityId: server.ActivityId,
    ...triggerCalls(server),
    ...triggerRuns(server),
    activity: (Name: string): Promise<number> =>
      insertActivity(app.database.knex, { UserId: editor.UserId, Name, definition: EMPTY_DEFINITION }),
    drop: (name: string, text: string): Promise<void> => writeFile(join(folder, 'in', name), text),
    poll: async (count = 2): Promise<void> => {
      for (let at = 0; at < count; at += 1) await engine.poll();
    },
    close: async (): Promise<void> => {
      await engine.stop();
      await app.close();
      await data.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
