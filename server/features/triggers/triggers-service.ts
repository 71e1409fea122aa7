/** Triggers, for people who may edit what they start. server/automation/triggers detects what they wait for. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { createOnce } from '#server/access/create-once.ts';
import { recordEdit, revisionOf, revisionsOf } from '#server/access/edits.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { TriggerEventRow, TriggerRow } from '#server/automation/triggers/trigger-row.ts';
import { newSecret } from '#server/automation/deliveries/signature.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { ScheduleOwners } from '#server/features/additional-schedules/schedule-owners-service.ts';
import type { Caller } from '#server/features/additional-schedules/additional-schedules-service.ts';
import type { WebhookSecrets } from '#server/access/webhook-secrets.ts';
import { fitsPattern } from '#server/folders/file-pattern.ts';
import type { FolderFile } from '#server/folders/static-folders.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import { pendingRun } from '#server/automation/triggers/dispatch-events.ts';
import { knowPresentFiles } from '#server/automation/triggers/poll-folders.ts';
import { lockTrigger } from '#server/automation/triggers/note-events.ts';
import type { TriggerContext } from '#server/automation/triggers/trigger-context.ts';
import type { SecurityActionType } from '#shared/contract/security.ts';
import {
  TRIGGERS_MAX,
  type SavedTrigger,
  type Trigger,
  type TriggerList,
  type TriggerTest,
  type TriggerUpdate,
} from '#shared/contract/triggers.ts';
import { checkInputs, checkPlan, refuse } from './trigger-checks.ts';
import { closesCycle } from './trigger-cycles.ts';
import type { TriggerSources } from './trigger-sources.ts';
import { tryTrigger } from './try-trigger.ts';
import { columnsOf, requireStartable } from './trigger-start.ts';
import { triggerView } from './trigger-views.ts';
import * as stored from './triggers-repository.ts';
import type { StoredTrigger, TriggerColumns } from './triggers-repository.ts';

export interface TriggersService {
  list(person: Person, ownerId: number): Promise<TriggerList>;
  /** @param UniqueId see createOnce */
  save(caller: Caller, body: TriggerUpdate, UniqueId: string | null): Promise<SavedTrigger>;
  delete(caller: Caller, id: number): Promise<void>;
  pause(caller: Caller, id: number): Promise<void>;
  resume(caller: Caller, id: number): Promise<void>;
  /** Replaces the secret with a new one. */
  secret(caller: Caller, id: number): Promise<SavedTrigger>;
  test(person: Person, id: number, body: string | null): Promise<TriggerTest>;
}

export interface TriggersDeps {
  database: Database;
  owners: ScheduleOwners;
  /** The same context as that of the engine, to poll what triggers wait for. */
  context: TriggerContext;
  sources: TriggerSources;
  secrets: WebhookSecrets;
  serverZone: string;
  /** Returns the text of the current maintenance; null if there is none. */
  maintenance: () => Promise<string | null>;
}

const FIRINGS_SHOWN = 10;
const KEY_LENGTH = 100;

const notFound = (): AppError => new AppError('triggerNotFound', 404, 'There is no such trigger');

// oxlint-disable-next-line max-lines-per-function -- the calls of one service, each a few lines
export function createTriggersService(deps: TriggersDeps): TriggersService {
  const { database, owners, context, sources } = deps;
  const { knex } = database;
  const { column } = owners;

  async function requireTrigger(person: Person, id: number): Promise<StoredTrigger> {
    const row = await stored.findTrigger(knex, column, id);
    if (!row) throw notFound();
    await owners.requireEdit(person, row[column]!);
    return row;
  }

  /** Changes a trigger while its row is locked, which prevents it from starting anything, and logs the change. */
  async function change(
    caller: Caller,
    row: StoredTrigger,
    Action: SecurityActionType,
    work: (trx: Knex.Transaction) => Promise<void>,
  ): Promise<void> {
    await inTransaction(knex, async (trx) => {
      // Also a pause, because saving a form that was opened before would resume the trigger.
      await recordEdit(trx, { table: 'Triggers', key: row.Id }, { person: caller.person, Revision: null });
      if (!(await lockTrigger(trx, row.Id))) throw notFound();
      await work(trx);
      await record(trx, caller, Action, row);
    });
  }

  async function record(
    trx: Knex.Transaction,
    { person, address }: Caller,
    Action: SecurityActionType,
    row: Pick<TriggerRow, 'Name' | 'ActivityId' | 'ChecklistId'> & { UserName: string },
  ): Promise<void> {
    const KeyColumnValue = `${row[column]}: ${row.Name}`.slice(0, KEY_LENGTH);
    const action = { Action, TargetUserName: row.UserName, KeyColumnName: column, KeyColumnValue };
    await recordActions(trx, actorOf(person, address), [action]);
  }

  /** Adds the run that a trigger's waiting events wait for. Few triggers have any. */
  async function viewOf(row: StoredTrigger, events: readonly TriggerEventRow[], Revision: number): Promise<Trigger> {
    const isBlocked = row.Overlap === 'Wait' && events.some(({ Outcome }) => Outcome === 'Waiting');
    const blockingRunId = isBlocked ? await pendingRun(knex, row) : null;
    return triggerView(row, column, { events, blockingRunId, Revision });
  }

  async function view(id: number): Promise<Trigger> {
    const Revision = await revisionOf(knex, { table: 'Triggers', key: id });
    const row = await stored.findTrigger(knex, column, id);
    if (!row) throw notFound();
    return viewOf(row, await stored.listEvents(knex, [id], FIRINGS_SHOWN), Revision);
  }

  /** Returns the files that are already in the folder, so that they do not count as arrived. */
  async function presentFiles({ Plan }: TriggerUpdate): Promise<FolderFile[]> {
    if (Plan.Kind !== 'File') return [];
    return context.folders.list(Plan.Folder, (name) => fitsPattern(name, Plan.Pattern)).catch(() => []);
  }

  async function store(
    caller: Caller,
    row: TriggerColumns,
    [body, key]: [TriggerUpdate, string | null],
  ): Promise<number> {
    const files = await presentFiles(body);
    const UniqueId = body.Id === 0 ? key : null;
    const creation = { UserId: caller.person.UserId, UniqueId, RecordTable: 'Triggers', content: [column, body] };
    return createOnce(database, creation, async (trx) => {
      if (body.Plan.Kind === 'Ended') await refuseCycle(trx, body.Id, row);
      let Id = body.Id;
      if (Id === 0) {
        if ((await stored.countTriggers(trx, column, row[column]!)) >= TRIGGERS_MAX)
          throw new AppError('tooManyTriggers', 409, `There are already ${TRIGGERS_MAX} triggers: delete one first`);
        Id = await stored.insertTrigger(trx, row);
      } else {
        await recordEdit(trx, { table: 'Triggers', key: Id }, { person: caller.person, Revision: body.Revision });
        if (!(await lockTrigger(trx, Id))) throw notFound();
        await stored.updateTrigger(trx, Id, row);
      }
      if ('SinceTime' in row) await knowPresentFiles(trx, { Id }, files);
      await record(trx, caller, 'SaveTrigger', { ...row, UserName: caller.person.UserName });
      return Id;
    });
  }

  async function refuseCycle(trx: Knex.Transaction, id: number, row: TriggerColumns): Promise<void> {
    await database.dialect.lock(trx, 'runsheet.triggers.cycles');
    const others = (await stored.listEnds(trx)).filter(({ Id }) => Id !== id);
    if (closesCycle(row, others)) refuse('SourceId', 'The triggers would start each other in an endless loop');
  }

  function newAddress({ Plan }: TriggerUpdate, before: TriggerRow | undefined) {
    if (Plan.Kind !== 'Webhook') return { isNew: false, columns: { AddressKey: null, EncryptedSecret: null } };
    if (before?.AddressKey) return { isNew: false, columns: {} };
    const AddressKey = randomBytes(24).toString('base64url');
    return { isNew: true, columns: { AddressKey, EncryptedSecret: deps.secrets.encrypt(AddressKey, newSecret()) } };
  }

  /** Reads the stored secret: an earlier call with the same key may have created the trigger. */
  async function secretOf(id: number): Promise<string | null> {
    const { AddressKey = null, EncryptedSecret = null } = (await stored.findTrigger(knex, column, id)) ?? {};
    return AddressKey === null || EncryptedSecret === null ? null : deps.secrets.decrypt(AddressKey, EncryptedSecret);
  }

  return {
    list: async (person, ownerId) => {
      const { Name: OwnerName } = await owners.requireEdit(person, ownerId);
      const revisionBy = await revisionsOf(knex, 'Triggers', knex('Triggers').where(column, ownerId).pluck('Id'));
      const [rows, { Inputs, FileInputs }, Maintenance, connections] = await Promise.all([
        stored.listTriggersOf(knex, column, ownerId),
        owners.askedInputs(person, ownerId),
        deps.maintenance(),
        context.connections.list(person),
      ]);
      const ids = rows.map(({ Id }) => Id);
      const events = Map.groupBy(await stored.listEvents(knex, ids, FIRINGS_SHOWN), ({ TriggerId }) => TriggerId);
      const Items: Trigger[] = [];
      for (const row of rows) Items.push(await viewOf(row, events.get(row.Id) ?? [], revisionBy(row.Id)));
      const Connections = connections.map(({ name }) => name);
      const Folders = [...context.folders.names];
      return { OwnerName, TimeZone: deps.serverZone, Inputs, FileInputs, Folders, Connections, Maintenance, Items };
    },
    save: async (caller, body, UniqueId) => {
      const { person } = caller;
      await owners.requireEdit(person, body.OwnerId);
      const asked = await owners.askedInputs(person, body.OwnerId);
      checkPlan(body, { asked, folders: context.folders.names });
      const inputs = checkInputs(body, asked);
      await sources.requireSource(person, body.Plan);
      const before = body.Id === 0 ? undefined : await stored.findTrigger(knex, column, body.Id);
      if (body.Id !== 0 && before?.[column] !== body.OwnerId) throw notFound();
      const now = await databaseTime(knex, database);
      const row = columnsOf(body, { column, UserId: person.UserId, inputs, before, now });
      // Reports problems now instead of when the trigger fires.
      await requireStartable(owners, row, now);
      const { isNew, columns } = newAddress(body, before);
      const id = await store(caller, { ...row, ...columns }, [body, UniqueId]);
      return { Trigger: await view(id), Secret: isNew ? await secretOf(id) : null };
    },
    delete: async (caller, id) => {
      const row = await requireTrigger(caller.person, id);
      await change(caller, row, 'DeleteTrigger', async (trx) => {
        await trx('Triggers').where('Id', id).delete();
      });
    },
    pause: async (caller, id) => {
      const row = await requireTrigger(caller.person, id);
      if (row.PausedTime !== null) return;
      await change(caller, row, 'PauseTrigger', async (trx) => {
        await stored.updateTrigger(trx, id, {
          PausedTime: await databaseTime(trx, database),
          PausedReason: null,
          LookMessage: null,
        });
      });
    },
    resume: async (caller, id) => {
      const row = await requireTrigger(caller.person, id);
      if (row.PausedTime === null) return;
      await requireStartable(owners, row, await databaseTime(knex, database));
      await change(caller, row, 'ResumeTrigger', (trx) =>
        // The next result of its query becomes the new baseline.
        stored.updateTrigger(trx, id, { PausedTime: null, PausedReason: null, StateText: null }),
      );
    },
    secret: async (caller, id) => {
      const row = await requireTrigger(caller.person, id);
      const { AddressKey } = row;
      if (AddressKey === null) throw new AppError('noAddress', 409, 'The trigger does not accept calls');
      const Secret = newSecret();
      await change(caller, row, 'RotateTriggerSecret', (trx) =>
        stored.updateTrigger(trx, id, { EncryptedSecret: deps.secrets.encrypt(AddressKey, Secret) }),
      );
      return { Trigger: await view(id), Secret };
    },
    test: async (person, id, body) => {
      const row = await requireTrigger(person, id);
      return tryTrigger(deps, row, { body, maintenance: await deps.maintenance() });
    },
  };
}
