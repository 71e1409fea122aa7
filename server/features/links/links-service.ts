/**
 * Links, for people who edit and follow them. A link grants no rights: it can only be followed with the right to run
 * its target activity.
 */
import { AppError } from '#server/base/app-error.ts';
import { createOnce } from '#server/access/create-once.ts';
import { recordEdit, revisionOf } from '#server/access/edits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Database } from '#server/db/database.ts';
import { findLastRun, lastRunOf } from '#server/versions/last-run.ts';
import type { ActivityAccess, VisibleActivity } from '#server/access/activity-access.ts';
import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import type { Person } from '#server/base/person.ts';
import { formatLinkInfo, parseLinkInfo } from '#shared/codecs/link-info.ts';
import type { ActivityLink } from '#shared/contract/activities.ts';
import type { LinkedNeighbour } from '#shared/contract/activity-home.ts';
import type { DeleteLinkBody, EditedLink, LinkMapping, WriteLinkBody } from '#shared/contract/links.ts';
import { linkNameIssue } from '#shared/rules/link-rules.ts';
import { checkMappings } from './link-mappings-service.ts';
import {
  findLink,
  insertLink,
  listLinks,
  listNeighbours,
  removeLink,
  updateLink,
  type LinkWithTarget,
  type NeighbourRow,
} from './links-repository.ts';

/** A link that a person may follow. */
export interface FollowedLink {
  link: LinkWithTarget;
  mappings: readonly LinkMapping[];
  target: VisibleActivity;
}

export interface LinksService {
  /** Returns the links of an activity whose target activities the person may see. */
  of(person: Person, activityId: number, which?: { onlyRunnable: boolean }): Promise<ActivityLink[]>;
  /**
   * Returns the links from and to an activity whose other ends the person may see.
   * @param limit maximum number per direction
   */
  around(
    person: Person,
    activityId: number,
    limit: number,
  ): Promise<{ to: LinkedNeighbour[]; from: LinkedNeighbour[] }>;
  /**
   * Returns the name of a link to an activity that the caller may see. Throws an AppError 404 if the link leads
   * elsewhere.
   */
  nameOf(linkId: number, activityId: number | null): Promise<string>;
  /** Returns a link for editing. */
  details(person: Person, linkId: number): Promise<EditedLink>;
  /** Returns the id of the link. */
  write(person: Person, body: WriteLinkBody, UniqueId: string | null): Promise<number>;
  delete(person: Person, body: DeleteLinkBody): Promise<void>;
  /** Throws an AppError 404 if the person may not see the source activity, or may not run the target activity. */
  follow(person: Person, linkId: number): Promise<FollowedLink>;
  /** Converts a link to the shape of the contract. */
  view(person: Person, link: LinkWithTarget, target: VisibleActivity): Promise<ActivityLink>;
}

export interface LinksDeps {
  database: Database;
  access: ActivityAccess;
  versions: VersionCatalog;
}

const notFound = (): AppError => new AppError('linkNotFound', 404, 'There is no such linkage');

export function createLinksService(deps: LinksDeps): LinksService {
  const { knex } = deps.database;
  const { access } = deps;

  const view: LinksService['view'] = async (person, link, { CanViewRuns }) => {
    const LastRun = lastRunOf(
      await findLastRun(knex, 'ActivityLinkId', link.Id, CanViewRuns ? undefined : person.UserId),
    );
    const { Id, Name, ActivityId, LinkedActivityId, LinkedActivityName, LinkInfo } = link;
    return { Id, Name, ActivityId, LinkedActivityId, LinkedActivityName, LinkInfo, LastRun };
  };

  async function targetOf(person: Person, { LinkedActivityId }: LinkWithTarget): Promise<VisibleActivity | null> {
    return orNull(access.require(knex, person, LinkedActivityId));
  }

  /** Returns a link whose source activity the person may edit. */
  async function editable(person: Person, linkId: number): Promise<LinkWithTarget> {
    const link = await findLink(knex, linkId);
    if (!link) throw notFound();
    const source = await orNull(access.require(knex, person, link.ActivityId));
    if (!source) throw notFound();
    await access.requireEdit(knex, person, link.ActivityId);
    return link;
  }

  return {
    view,
    nameOf: async (linkId, activityId) => {
      const link = await findLink(knex, linkId);
      if (link?.LinkedActivityId !== activityId) throw notFound();
      return link!.Name;
    },
    of: async (person, activityId, { onlyRunnable } = { onlyRunnable: false }) => {
      const shown: ActivityLink[] = [];
      for (const link of await listLinks(knex, activityId)) {
        const target = await targetOf(person, link);
        if (target && (target.CanRun || !onlyRunnable)) shown.push(await view(person, link, target));
      }
      return shown;
    },
    around: async (...asked) => neighboursOf(deps, ...asked),
    details: async (person, linkId) => {
      const Revision = await revisionOf(knex, { table: 'ActivityLinks', key: linkId });
      const link = await editable(person, linkId);
      const target = await targetOf(person, link);
      if (!target) throw notFound();
      return { ...(await view(person, link, target)), Revision };
    },
    write: async (person, body, UniqueId) => writeLink(deps, { person, body, UniqueId }, editable),
    delete: async (person, { Id, ActivityId, LinkedActivityId }) => {
      requireSame(await editable(person, Id), { ActivityId, LinkedActivityId });
      await removeLink(knex, Id);
    },
    follow: async (person, linkId) => {
      const link = await findLink(knex, linkId);
      if (!link || !(await orNull(access.require(knex, person, link.ActivityId)))) throw notFound();
      const target = await targetOf(person, link);
      if (!target?.CanRun) throw notFound();
      return { link, mappings: parseLinkInfo(link.LinkInfo) ?? [], target };
    },
  };
}

async function neighboursOf(
  { database: { knex }, access }: LinksDeps,
  ...[person, activityId, limit]: Parameters<LinksService['around']>
): ReturnType<LinksService['around']> {
  const [scopes, to, from] = await Promise.all([
    access.scopes(person),
    listNeighbours(knex, activityId, 'to', limit),
    listNeighbours(knex, activityId, 'from', limit),
  ]);
  const seen = (rows: readonly NeighbourRow[]) => rows.flatMap((row) => neighbourOf(row, scopes) ?? []);
  return { to: seen(to), from: seen(from) };
}

/** Returns null if the person may not see the activity at the other end. */
function neighbourOf(
  { Id, Name, ActivityId, ActivityName, Schema, IsActive }: NeighbourRow,
  { run, edit }: ActivityScopes,
): LinkedNeighbour | null {
  const keys = { Id: ActivityId, Schema };
  const CanRun = IsActive && isInScope(run, keys);
  return CanRun || isInScope(edit, keys) ? { Id, Name, ActivityId, ActivityName, CanRun } : null;
}

interface WrittenLink {
  person: Person;
  body: WriteLinkBody;
  UniqueId: string | null;
}

async function writeLink(
  deps: LinksDeps,
  { person, body, UniqueId }: WrittenLink,
  editable: (person: Person, linkId: number) => Promise<LinkWithTarget>,
): Promise<number> {
  const { access } = deps;
  const { knex } = deps.database;
  const { Id, ActivityId, LinkedActivityId, LinkInfo, Name, Revision } = body;
  const source = await access.requireEdit(knex, person, ActivityId);
  const target = await access.require(knex, person, LinkedActivityId);
  if (Id !== 0) requireSame(await editable(person, Id), { ActivityId, LinkedActivityId });
  const issue = linkNameIssue(Name);
  if (issue !== null) throw new AppError('linkInvalid', 400, issue, { modelState: { Name: [issue] } });
  const mappings = parseLinkInfo(LinkInfo);
  if (!mappings) throw new AppError('linkInvalid', 400, 'LinkInfo must be a list of source, target and ReadOnly');
  const [from, to] = await Promise.all([currentVersion(deps, source), currentVersion(deps, target)]);
  await checkMappings(knex, mappings, from, to);
  const row = { Name: Name.trim(), LinkInfo: formatLinkInfo(mappings) };
  if (Id === 0) {
    const creation = { UserId: person.UserId, UniqueId, RecordTable: 'ActivityLinks', content: body };
    return createOnce(deps.database, creation, (trx) => insertLink(trx, { ...row, ActivityId, LinkedActivityId }));
  }
  await inTransaction(knex, async (trx) => {
    await recordEdit(trx, { table: 'ActivityLinks', key: Id }, { person, Revision });
    await updateLink(trx, Id, row);
  });
  return Id;
}

function requireSame(link: LinkWithTarget, sent: Pick<LinkWithTarget, 'ActivityId' | 'LinkedActivityId'>): void {
  if (link.ActivityId === sent.ActivityId && link.LinkedActivityId === sent.LinkedActivityId) return;
  throw new AppError('linkFixed', 400, 'The activities of an existing linkage cannot be changed');
}

async function currentVersion({ versions }: LinksDeps, { activity }: VisibleActivity): Promise<ActivityVersion> {
  const version = await versions.get(activity.Id, activity.Version);
  if (!version) throw new Error(`activity ${activity.Id} has no version ${activity.Version}`);
  return version;
}

/** Returns null if the person may not see it. */
async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  }
}
