/** The program's own statements on each database: errors that only a server can report. */
import { IGNORED_LOCK_HINTS, isOtherMakersServer } from '#test/support/sql-server.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { deadlineIn } from '#server/db/time-limit.ts';
import { inTransaction } from '#server/db/transaction.ts';
import {
  countOwnAbove,
  listActivityRows,
  listAllOwnNewest,
  listOwnNewest,
  readListStamp,
} from '#server/features/activities/activities-repository.ts';
import { upsertParameters } from '#server/versions/version-rows.ts';
import { listVersionRows, takeVersionFiles } from '#server/features/versions/versions-repository.ts';
import { insertApiKey, findApiKey } from '#server/features/api-keys/api-keys-repository.ts';
import { listRunMarks } from '#server/features/live/live-repository.ts';
import {
  countNotableRuns,
  insertDismissal,
  listNotableRuns,
} from '#server/features/notifications/notifications-repository.ts';
import { listRunDataSizes } from '#server/features/retention/purge-repository.ts';
import { countGrants, listGrantUsers, writeGrants } from '#server/features/rights/grants-repository.ts';
import { EVERY, type RightScope } from '#server/access/rights/right-scope.ts';
import { findGrants } from '#server/access/rights/grant-rows.ts';
import {
  deleteMembers,
  insertMembers,
  insertRole,
  listRoleRows,
  listRoleUserRows,
} from '#server/features/roles/roles-repository.ts';
import { listActivityHistory, listHistory, listHistoryValues } from '#server/features/runs/history-repository.ts';
import { runConditions } from '#server/features/runs/history-search.ts';
import { saveSchedule } from '#server/features/schedules/schedules-repository.ts';
import { THE_PROGRAM } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { verifyChain } from '#server/features/security-actions/security-actions-service.ts';
import {
  deleteOldTokens,
  findToken,
  insertSession,
  insertToken,
  listOpenSessions,
} from '#server/features/sessions/sessions-repository.ts';
import { listUsers } from '#server/features/users/users-list-repository.ts';
import { deleteUnreferenced } from '#server/files/unreferenced-files.ts';
import { newFileId } from '#server/files/stored-files.ts';
import { copyRunInputs, enqueueRun, insertRun as queueRun } from '#server/queue/enqueue-run.ts';
import { finishRun, promoteNext } from '#server/queue/run-end.ts';
import { createRunQueue } from '#server/queue/run-queue.ts';
import type { ValueOperator } from '#shared/contract/run-history.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { TARGETS, type OpenTarget } from './targets.ts';

const input = {
  ArrayIndex: 0,
  Rows: null,
  UseDefault: false,
  HasPresetValue: false,
  FileId: null,
  FileName: null,
  ContentLength: null,
};
const plainRun = { UniqueId: null, RetryOf: null, MemoryCost: 0, SingleRun: false };

for (const target of TARGETS) {
  describe(`the program on ${target.name}`, () => {
    let opened: OpenTarget;
    let database: Database;
    let knex: Knex;
    let UserId: number;
    let ActivityId: number;

    beforeAll(async () => {
      if (target.missing !== undefined) return;
      opened = await target.openMigrated();
      ({ database } = opened);
      ({ knex } = database);
    });
    afterAll(() => opened?.drop());
    beforeEach(async (context) => {
      context.skip(target.missing !== undefined, target.missing);
      UserId = await insertUser(knex);
      ActivityId = await insertActivity(knex, { UserId });
    });

    const parameter = async (Direction: 'input' | 'output', Name: string): Promise<number> => {
      const definition = { inputs: [], outputs: [], [`${Direction}s`]: [{ Name }] };
      await upsertParameters(knex, database.dialect, ActivityId, definition as never);
      const row = await knex('ActivityParameters')
        .where({ ActivityId, Direction, NameKey: Name.toLowerCase() })
        .first();
      return (row as { Id: number }).Id;
    };
    const only = (): RightScope => ({ kind: 'in', column: 'Id', values: [String(ActivityId)] });

    it('gives runs their turns as they are queued, also of several at once', async (context) => {
      context.skip(await isOtherMakersServer(knex), IGNORED_LOCK_HINTS);
      const run = { ActivityId, ActivityVersion: 1, UserId, ...plainRun };
      const other = { ...run, UserId: await insertUser(knex) };
      const many = await Promise.all(Array.from({ length: 5 }, () => enqueueRun(database, run, [])));
      const few = await enqueueRun(database, other, []);
      expect(await knex('ActivityRuns').where({ UserId }).orderBy('Turn').pluck('Turn')).toEqual([0, 1, 2, 3, 4]);
      const queue = createRunQueue(database, 30);
      const claimed = await queue.claim('turns', { slots: 3, memory: 100, idle: false });
      expect(claimed.map(({ Id }) => Id)).toContain(few.Id);
      const ActivityRunIds = [...many, few].map(({ Id }) => Id);
      await knex('ActivityRuns').whereIn('Id', ActivityRunIds).update({ Status: 'Cancelled' });
    });

    it('carries a run from the queue to its end', async () => {
      const amount = await parameter('input', 'Amount');
      const total = await parameter('output', 'Total');
      expect(await parameter('output', 'TOTAL')).toBe(total);
      const queue = createRunQueue(database, 30);
      const run = { ActivityId, ActivityVersion: 1, UserId, ...plainRun };
      const { Id } = await enqueueRun(database, run, [{ ...input, ActivityParameterId: amount, Value: '1.5' }]);
      const [claimed] = await queue.claim('one', { slots: 1, memory: 100, idle: false });
      const expected = {
        TraceParent: null,
        MemoryCost: 0,
        SingleRun: false,
        Fence: 1,
        ChecklistRunId: null,
        ParentRunId: null,
      };
      const times = { QueueTime: expect.any(Date), PickupTime: expect.any(Date) };
      expect(claimed).toEqual({ Id, ActivityId, ActivityVersion: 1, ...expected, ...times });
      expect(await queue.markStarted('one', claimed!, 0.5)).toBe(true);
      expect(await queue.renew('one', [Id])).toEqual([{ Id, Fence: 1, CancelTime: null }]);
      const FileId = newFileId();
      const file = {
        FileId,
        StoreKey: `k/${FileId}`,
        FileName: 'x.xlsx',
        ContentLength: 2 ** 33,
        Sha256: 'x',
        UserId: null,
      };
      const output = { ArrayIndex: 0, Value: null, Rows: null, FileId: null, FileName: null, ContentLength: null };
      const end = {
        status: 'Failed' as const,
        startedAt: performance.now(),
        outputs: [
          { ...output, ActivityParameterId: total, Value: '"Ünique <text>"' },
          { ...output, ActivityParameterId: null, FileId, FileName: 'x.xlsx', ContentLength: 2 ** 33 },
        ],
        files: [{ ...file, Purpose: 'output' as const, ActivityParameterId: null }],
        logs: [{ Message: 'x'.repeat(10_000), StatusCode: 0, Category: 2 }],
      };
      expect(await finishRun(database, 'one', claimed!, end)).toMatchObject({ result: 'finished' });
      expect(await finishRun(database, 'one', claimed!, end)).toMatchObject({ result: 'lost' });
      const marks = await listRunMarks(knex, [Id]);
      expect(marks.get(Id)?.Status).toBe('Failed');
      expect(await inTransaction(knex, (trx) => deleteUnreferenced(trx, [FileId]))).toEqual([]);

      const again = await inTransaction(knex, async (trx) => {
        const inserted = await queueRun(trx, { ...run, RetryOf: Id });
        await copyRunInputs(trx, Id, inserted.Id);
        return inserted.Id;
      });
      expect(await knex('RunInputs').where('ActivityRunId', again).pluck('Value')).toEqual(['1.5']);

      const scopes = { run: EVERY, edit: only(), viewRuns: only() };
      expect(await listNotableRuns(knex, database.dialect, scopes, UserId, { before: null, limit: 5 })).toHaveLength(1);
      await insertDismissal(knex, database.dialect, { ActivityRunId: Id, LogEntryId: 1 });
      expect(await countNotableRuns(knex, database.dialect, scopes, UserId, 5)).toEqual({ Count: 0, Unread: 0 });
      const sizes = await listRunDataSizes(knex, database.dialect, new Date(Date.now() + 86_400_000), only());
      expect(sizes).toMatchObject([{ ActivityId, InputFile: 0, OutputFile: 2 ** 33 }]);
    });

    it('finds runs in the history by their values, and those a person may see', async () => {
      const name = await parameter('input', 'Name');
      const first = await insertRun(knex, { ActivityId, UserId, Status: 'Succeeded', EndTime: new Date() });
      const second = await insertRun(knex, { ActivityId, UserId, Status: 'Failed', EndTime: new Date() });
      await knex('RunInputs').insert([
        { ActivityRunId: first, ActivityParameterId: name, Value: '"Ärger 50%"' },
        { ActivityRunId: second, ActivityParameterId: name, Value: '-12.5e1' },
      ]);
      const deadline = deadlineIn(60_000);
      const found = async (Operator: ValueOperator, Value: string | number, near?: number): Promise<number[]> => {
        const Values = [{ Direction: 'input' as const, ActivityParameterId: name, Operator, Value }];
        const QueuedFrom = new Date(Date.now() - 3_600_000).toISOString();
        const conditions = await runConditions(knex, { ActivityId, Values, QueuedFrom, RunBy: 'TEST user' });
        const filter = { ...conditions, before: null, limit: 10, deadline };
        const rows = await listActivityHistory(knex, ActivityId, UserId, filter, near);
        return rows.map(({ Id }) => Id);
      };
      expect(await found('begins', 'äRGER 50%')).toEqual([first]);
      expect(await found('begins', 'ärger 50_')).toEqual([]);
      expect(await found('=', 'ärger 50%')).toEqual([first]);
      expect(await found('=', -125)).toEqual([second]);
      expect(await found('<', 0)).toEqual([second]);
      const others = await found('<>', 'ärger 50%');
      expect(others[0]).toBe(second);
      expect(others).not.toContain(first);
      expect(await found('<>', 'ärger 50%', 1)).toEqual(others);
      expect(await found('<>', -125, 1)).toEqual(await found('<>', -125));
      const scopes = { run: EVERY, edit: only(), viewRuns: only() };
      const all = { ...(await runConditions(knex, { ActivityId: null })), before: null, limit: 2, deadline };
      expect((await listHistory(knex, scopes, UserId, all)).map(({ Id }) => Id)).toEqual([second, first]);
      const values = await listHistoryValues(knex, [
        first,
        second,
        ...Array.from({ length: 2500 }, (_, id) => -1 - id),
      ]);
      expect(values.map(({ Value }) => Value)).toEqual(['"Ärger 50%"', '-12.5e1']);
      await knex('RunInputs').where('ActivityRunId', second).update({ Value: '1e16' });
      expect(await found('=', 1e16)).toEqual([second]);
      expect(await found('>', 2 ** 53)).toEqual([second]);
      expect(await found('<', 1e16)).toEqual([]);
    });

    it('lists activities with their newest runs', async () => {
      const before = await readListStamp(knex, [0, 0, 0]);
      const Id = await insertRun(knex, { ActivityId, UserId });
      expect(await readListStamp(knex, [0, Id - 1, Id])).toMatchObject({
        newestRun: Id,
        counts: [before.counts[0] + 1, 1, 0],
      });
      const rows = await listActivityRows(knex, database.dialect);
      expect(rows.find((row) => row.Id === ActivityId)).toMatchObject({ LastRunId: Id, Status: 'Queued' });
      expect(await listAllOwnNewest(knex, database.dialect, UserId)).toMatchObject([{ ActivityId, LastRunId: Id }]);
      expect(await listOwnNewest(knex, UserId, Id - 1, [Id])).toMatchObject([{ ActivityId, LastRunId: Id }]);
      expect(await countOwnAbove(knex, UserId, [Id - 1, Id, Id])).toEqual({ counts: [1, 0, 0], newest: Id });
      expect(await countOwnAbove(knex, UserId, [Id, Id, Id])).toEqual({ counts: [0, 0, 0], newest: 0 });
      const scopes = { run: only(), edit: only(), viewRuns: only() };
      expect(await listVersionRows(knex, scopes, { limit: 5, before: null, schema: 'Test' })).toMatchObject({
        rows: [{ ActivityId, Version: 1 }],
        HasMore: false,
      });
      expect(await inTransaction(knex, (trx) => takeVersionFiles(trx, ActivityId, 1))).toEqual([]);
    });

    it('lets the oldest waiting run of an activity in when nothing else of it is pending', async () => {
      const Id = await insertRun(knex, { ActivityId, UserId, Status: 'QueuedInSeq' });
      const active = await insertRun(knex, { ActivityId, UserId, Status: 'Started' });
      expect(await promoteNext(knex, ActivityId)).toBe(false);
      await knex('ActivityRuns').where('Id', active).update({ Status: 'Failed' });
      expect(await promoteNext(knex, ActivityId)).toBe(true);
      expect(await knex('ActivityRuns').where({ Id }).pluck('Status')).toEqual(['Queued']);
    });

    it('distinguishes names to the letter, and pages and searches them without regard to case', async () => {
      const roles = [`Sales ${UserId}`, `SALES ${UserId}`];
      for (const role of roles) await insertRole(knex, role);
      await insertMembers(knex, roles[0]!, [UserId]);
      await insertMembers(knex, roles[0]!, [UserId]);
      const counted = (await listRoleRows(knex)).filter(({ Name }) => roles.includes(Name));
      expect(new Map(counted.map(({ Name, UserCount }) => [Name, UserCount]))).toEqual(
        new Map([
          [roles[0]!, 1],
          [roles[1]!, 0],
        ]),
      );
      const { rows } = await listRoleUserRows(knex, roles[0]!, { Skip: 0, Take: 1 });
      expect(rows).toMatchObject([{ UserId, RoleName: roles[0] }]);
      const key = { RightName: 'sk.RunActivities', KeyColumnName: 'Id', KeyColumnValue: String(ActivityId) };
      await writeGrants(knex, 'role', key, { grantees: [roles[0]!], Access: 1 });
      expect(await findGrants(knex, UserId)).toMatchObject([{ RightName: key.RightName, RoleName: roles[0] }]);
      expect((await countGrants(knex, key.RightName)).at(-1)).toMatchObject({ Count: 1, Access: 1 });
      await deleteMembers(knex, roles[0]!, [UserId]);
      expect(await findGrants(knex, UserId)).toEqual([]);
      // The maximum length of names, in UTF-16 code units as SQL Server counts them.
      const faces = '🙂'.repeat(25);
      await insertRole(knex, faces);
      expect((await listRoleRows(knex)).map(({ Name }) => Name)).toContain(faces);
      const { UserName } = (await knex('Users').where({ UserId }).first()) as { UserName: string };
      const listed = await listUsers(knex, { Search: UserName.toUpperCase(), Skip: 0, Take: 5 });
      expect(listed.rows.map((row) => row.UserName)).toContain(UserName);
      const all = await listUsers(knex, {});
      expect((await listUsers(knex, { Skip: 1, Take: 1 })).rows).toEqual(all.rows.slice(1, 2));
      expect((await listGrantUsers(knex, { Skip: all.total - 1, Take: 5 })).users).toHaveLength(1);
    });

    it('keeps sessions, keys, schedules and the chained log', async () => {
      const SessionId = newFileId();
      const TokenHash = newFileId();
      await insertSession(knex, { SessionId, UserId, Address: '::1', Client: '' });
      const expiry = await insertToken(knex, { TokenHash, SessionId }, 60);
      expect(Math.abs(expiry.getTime() - Date.now())).toBeLessThan(600_000);
      const token = await findToken(knex, TokenHash);
      expect(token).toMatchObject({ SessionId, UserId, Enabled: true, replacedFor: null });
      expect(token!.expiredFor).toBeLessThan(0);
      const [open] = await listOpenSessions(knex, UserId);
      expect(open).toMatchObject({ SessionId, Address: '::1', ssoExpiredFor: null });
      expect(open!.idleFor).toBeLessThan(600);
      expect(await findToken(knex, TokenHash.toLowerCase() + TokenHash.toUpperCase())).toBeUndefined();
      await knex('AccessTokens')
        .where({ TokenHash })
        .update({ ExpiryTime: new Date(0) });
      expect(await listOpenSessions(knex, UserId)).toEqual([]);
      expect(await deleteOldTokens(knex, 100)).toBe(1);

      const KeyId = newFileId().slice(0, 20);
      await insertApiKey(knex, { KeyId, UserId, KeyHash: 'x', Name: 'n', Scope: 'All' } as never, 3650);
      expect((await findApiKey(knex, KeyId))!.expiredFor).toBeLessThan(-3649 * 86_400);

      const NextTime = new Date('2030-02-03T04:05:06.789Z');
      const schedule = {
        ActivityId,
        UserId,
        ScheduleType: 'Daily' as const,
        TimeOfDay: 0.25,
        RetryCount: 1,
        RetryInterval: 5,
        PausedTime: null,
      };
      await saveSchedule(knex, database.dialect, { ...schedule, TimeZone: 'Europe/Vienna', NextTime: new Date(0) });
      await saveSchedule(knex, database.dialect, { ...schedule, TimeZone: 'Europe/Vienna', NextTime });
      expect(await knex('ActivitySchedules').where({ ActivityId, NextTime }).pluck('TimeOfDay')).toEqual([0.25]);

      await Promise.all(
        [1, 2, 3].map(() =>
          inTransaction(knex, (trx) => recordActions(trx, THE_PROGRAM, [{ Action: 'RenewLicense' }])),
        ),
      );
      expect(await verifyChain(knex)).toMatchObject({ count: 3, defect: null });
    });

    it('reads what was committed while somebody else changes it, without waiting', async () => {
      await knex.transaction(async (trx) => {
        await trx('Activities').where('Id', ActivityId).update({ Description: 'changed' });
        const read = knex('Activities').where('Id', ActivityId).pluck('Description');
        // If the read waited for the transaction, the transaction would also wait for the read.
        const waited = pause(20_000, ['waited'], { ref: false });
        expect(await Promise.race([Promise.resolve(read), waited])).toEqual(['']);
      });
    });
  });
}
