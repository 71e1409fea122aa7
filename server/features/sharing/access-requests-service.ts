/**
 * Requests for access. Asking never reveals whether the object exists: the response, the limits and what the person is
 * told afterwards are the same either way, and a decline is not announced.
 */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { GrantsService } from '#server/features/rights/grants-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import {
  ACCESS_REQUEST_PAGE_SIZE,
  REQUESTS_PER_DAY,
  type AccessObject,
  type AccessRequest,
  type accessRequests,
  type askForAccess,
} from '#shared/contract/access-requests.ts';
import { INTEGER_MAX, type BodyOf, type ResultOf } from '#shared/contract/endpoint.ts';
import type { RightName } from '#shared/contract/rights.ts';
import { mailedDeciders } from './access-deciders.ts';
import type { AccessMailer } from './access-mailer.ts';
import { insertNotices } from './access-notices-repository.ts';
import {
  activityExists,
  closeRequest,
  countRequestsOfDay,
  findActivityOfRun,
  findAskedTime,
  findOpenRequest,
  insertRequest,
  listRequests,
  type Decider,
  type RequestRow,
} from './access-requests-repository.ts';
import { requireNotDenied } from './denied-grantees.ts';
import type { SharingAccess } from '#server/access/sharing-access.ts';
import { shownName } from './shown-name.ts';

type Asked = ResultOf<typeof askForAccess>;

export interface AccessRequestsService {
  asked(person: Person, kind: AccessObject, id: number): Promise<Asked>;
  /**
   * Throws an AppError 409 if the person already sees the object, and 429 after too many requests. A second request for
   * the same object returns the first one.
   */
  ask(person: Person, request: BodyOf<typeof askForAccess>): Promise<Asked>;
  /** @param before id of the last request shown; null for the first page */
  list(person: Person, before: number | null): Promise<ResultOf<typeof accessRequests>>;
  /**
   * Throws an AppError 404 if there is no such open request or the person may not decide it, and 403 if they may not
   * give what it asks for.
   */
  decide(person: Person, actor: Actor, decision: { Id: number; Grant: boolean }): Promise<{ HasAccess: boolean }>;
  /** Waits for mails that are being written. */
  settle(): Promise<void>;
}

export interface AccessRequestsDeps {
  database: Database;
  log: Log;
  rights: Pick<RightsService, 'has'>;
  access: Pick<ActivityAccess, 'require'>;
  runAccess: Pick<RunAccess, 'require'>;
  sharing: SharingAccess;
  grants: Pick<GrantsService, 'changeTogether' | 'lock'>;
  mailer: AccessMailer;
  editorsMayShare: boolean;
}

/** What a request asks for. Everybody who may run an activity sees their own runs; others' runs need sk.ViewRuns. */
const RIGHTS: Record<AccessObject, readonly RightName[]> = {
  Activity: ['sk.RunActivity'],
  Run: ['sk.RunActivity', 'sk.ViewRuns'],
};

export function createAccessRequestsService(deps: AccessRequestsDeps): AccessRequestsService {
  const { knex } = deps.database;
  const pending = new Set<Promise<void>>();
  /** Writes the mails after the response, which would otherwise take longer if the object exists. */
  const mailLater = (request: MailedRequest): void => {
    const work = mailRequest(deps, request).catch((err: unknown) => {
      deps.log.error({ err }, 'could not queue mails about an access request');
    });
    pending.add(work);
    void work.finally(() => pending.delete(work));
  };
  return {
    asked: async ({ UserId }, ObjectKind, ObjectId) =>
      askedOf(await findAskedTime(knex, { UserId, ObjectKind, ObjectId })),
    ask: (person, request) => ask(deps, person, request, mailLater),
    list: async (person, before) => {
      const decider = { userId: person.UserId, scope: await deps.sharing.scope(person) };
      const rows = await listRequests(knex, decider, { before, limit: ACCESS_REQUEST_PAGE_SIZE + 1 });
      const shown = rows.slice(0, ACCESS_REQUEST_PAGE_SIZE);
      return { Items: shown.map(requestView), HasMore: rows.length > shown.length };
    },
    decide: (person, actor, decision) => decide(deps, person, actor, decision),
    settle: async () => void (await Promise.all(pending)),
  };
}

const askedOf = (time: Date | null): Asked => ({ AskedTime: time?.toISOString() ?? null });

const requestView = (row: RequestRow): AccessRequest => ({
  Id: row.Id,
  UserId: row.UserId,
  UserName: row.UserName,
  UserFullName: shownName(row),
  Email: row.Email,
  ActivityId: row.ActivityId,
  ActivityName: row.ActivityName,
  ActivityRunId: row.ObjectKind === 'Run' ? row.ObjectId : null,
  Message: row.Message,
  Time: row.CreateTime.toISOString(),
  Rights: [...RIGHTS[row.ObjectKind]],
});

async function ask(
  deps: AccessRequestsDeps,
  person: Person,
  { Kind, Id, Message }: BodyOf<typeof askForAccess>,
  mailLater: (request: MailedRequest) => void,
): Promise<Asked> {
  const { database } = deps;
  const { UserId } = person;
  if (await seesObject(deps, person, Kind, Id)) throw new AppError('hasAccess', 409, 'You already have access to this');
  const object = { UserId, ObjectKind: Kind, ObjectId: Id };
  const inserted = await inTransaction(database.knex, async (trx) => {
    await database.dialect.lock(trx, `runsheet.access-requests.${UserId}`);
    const before = await findAskedTime(trx, object);
    if (before) return { before };
    if ((await countRequestsOfDay(trx, UserId)) >= REQUESTS_PER_DAY)
      throw new AppError(
        'tooManyRequests',
        429,
        'You have requested access too often today. Please try again tomorrow.',
      );
    const ActivityId = await activityOf(trx, Kind, Id);
    const requestId = await insertRequest(trx, { ...object, ActivityId, Message: Message.trim() });
    return { requestId };
  });
  if (inserted.requestId !== undefined) mailLater({ requestId: inserted.requestId });
  return askedOf(await findAskedTime(database.knex, object));
}

async function seesObject(
  { database: { knex }, access, runAccess }: AccessRequestsDeps,
  person: Person,
  kind: AccessObject,
  id: number,
): Promise<boolean> {
  try {
    // No activity has a larger id, and PostgreSQL would refuse to compare it.
    if (kind === 'Activity' && id > INTEGER_MAX) return false;
    await (kind === 'Activity' ? access.require(knex, person, id) : runAccess.require(knex, person, id));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return false;
    throw error;
  }
}

async function activityOf(trx: Knex.Transaction, kind: AccessObject, id: number): Promise<number | null> {
  if (kind === 'Run') return (await findActivityOfRun(trx, id)) ?? null;
  return id <= INTEGER_MAX && (await activityExists(trx, id)) ? id : null;
}

interface MailedRequest {
  requestId: number;
}

async function mailRequest(
  { database, mailer, editorsMayShare }: AccessRequestsDeps,
  { requestId }: MailedRequest,
): Promise<void> {
  const { knex } = database;
  const request = await findOpenRequest(knex, requestId);
  if (!request) return;
  const { ActivityId, ActivityName, Schema, Message } = request;
  const people = await mailedDeciders(knex, { Id: ActivityId, Schema }, editorsMayShare);
  const others = people.filter((userId) => userId !== request.UserId);
  const about = { kind: 'Requested' as const, by: shownName(request), name: ActivityName, message: Message };
  await mailer.queue(knex, others, { ...about, path: 'accessRequests' });
  mailer.kick();
}

async function decide(
  deps: AccessRequestsDeps,
  person: Person,
  actor: Actor,
  { Id, Grant }: { Id: number; Grant: boolean },
): Promise<{ HasAccess: boolean }> {
  const { database, rights, sharing, mailer } = deps;
  const scope = await sharing.scope(person);
  const isManager = await sharing.isManager(person);
  const request = await inTransaction(database.knex, async (trx) => {
    const found = await requireRequest(trx, { userId: person.UserId, scope }, Id);
    const keys = { Id: found.ActivityId, Schema: found.Schema };
    await sharing.requireGivable(person, RIGHTS[found.ObjectKind], keys);
    if (!(await closeRequest(trx, Id, Grant ? 'Granted' : 'Declined'))) throw requestNotFound();
    if (Grant) await grant(deps, trx, actor, { request: found, isManager });
    else await recordActions(trx, actor, [declined(found)]);
    return found;
  });
  mailer.kick();
  const { UserId, ActivityId, Schema } = request;
  const IsUserAdmin = false;
  return {
    HasAccess: Grant && (await rights.has({ UserId, IsUserAdmin }, 'sk.RunActivity', { Id: ActivityId, Schema })),
  };
}

const requestNotFound = (): AppError =>
  new AppError('accessRequestNotFound', 404, 'There is no such request. Somebody may have decided it already.');

async function requireRequest(trx: Knex.Transaction, decider: Decider, id: number): Promise<RequestRow> {
  const [found] = await listRequests(trx, decider, { before: id + 1, limit: 1 });
  if (found?.Id !== id) throw requestNotFound();
  return found;
}

async function grant(
  { grants, mailer }: AccessRequestsDeps,
  trx: Knex.Transaction,
  actor: Actor,
  { request, isManager }: { request: RequestRow; isManager: boolean },
): Promise<void> {
  const { UserId, UserName, ActivityId, Schema, ActivityName, ObjectKind, ObjectId } = request;
  const rights = RIGHTS[ObjectKind];
  const keys = { Id: ActivityId, Schema };
  // Otherwise a denial that is being written would be overridden unseen.
  await grants.lock(trx);
  if (!isManager) await requireNotDenied(trx, { rights, keys, userIds: [UserId], roles: [] });
  const users = new Map([[UserId, UserName]]);
  await grants.changeTogether(trx, actor, {
    how: 'grant',
    rights,
    keyColumn: 'Id',
    value: String(ActivityId),
    users,
    roles: [],
  });
  const ActivityRunId = ObjectKind === 'Run' ? ObjectId : null;
  const by = actor.UserFullName || actor.UserName;
  await insertNotices(trx, [{ UserId, Kind: 'Granted', ActivityId, ActivityRunId, ByName: by, Message: '' }]);
  const path = ActivityRunId === null ? `activities/${ActivityId}/` : `activities/runstatus/${ActivityRunId}/`;
  await mailer.queue(trx, [UserId], { kind: 'Granted', by, name: ActivityName, message: '', path });
}

const declined = ({ UserName, ActivityId, ObjectKind }: RequestRow) => ({
  Action: 'DeclineAccess' as const,
  TargetUserName: UserName,
  RightName: RIGHTS[ObjectKind].at(-1)!,
  KeyColumnName: 'Id',
  KeyColumnValue: String(ActivityId),
});
