/**
 * Choices that people save for their use of a table view. They grant no rights: people who may no longer see the view
 * do not see these either.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import {
  MAX_OWN_VIEWS,
  OWN_VIEW_NAME_MAX,
  VIEW_CHOICE_MAX,
  type OwnView,
  type saveOwnView,
  type ViewChoice,
} from '#shared/contract/tableviews.ts';
import {
  deleteOwnViewRow,
  findOwnView,
  insertOwnView,
  listOwnViewRows,
  updateOwnView,
} from './own-views-repository.ts';
import type { TableViewsService } from './table-views-service.ts';

export interface OwnViewsService {
  list(person: Person, viewId: number): Promise<OwnView[]>;
  /** Returns the id. Throws an AppError nameTaken if the person already has one with that name. */
  save(person: Person, viewId: number, own: BodyOf<typeof saveOwnView>): Promise<number>;
  rename(person: Person, id: number, name: string): Promise<void>;
  delete(person: Person, id: number): Promise<void>;
}

export function createOwnViewsService(
  { knex, dialect }: Database,
  views: Pick<TableViewsService, 'find'>,
): OwnViewsService {
  /** Throws an AppError 404 if it is not the person's, or if they may no longer see its view. */
  async function find(person: Person, Id: number, viewId?: number): Promise<{ Id: number; UserId: number }> {
    const key = { Id, UserId: person.UserId };
    const found = await findOwnView(knex, key);
    if (!found || (viewId !== undefined && found.TableViewId !== viewId)) throw notFound();
    await views.find(person, found.TableViewId);
    return key;
  }

  async function refusingTakenNames<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (dialect.classify(error).fault !== 'unique') throw error;
      throw refused('Name', 'You already have a view with this name', 'nameTaken');
    }
  }

  return {
    list: async (person, viewId) => {
      await views.find(person, viewId);
      const rows = await listOwnViewRows(knex, { TableViewId: viewId, UserId: person.UserId });
      return rows.map(({ Choice, ...row }) => ({ ...row, Choice: JSON.parse(Choice) as ViewChoice }));
    },
    save: async (person, viewId, { OwnViewId, Name, Choice }) => {
      const change = { ...named(Name), Choice: checkedChoice(Choice) };
      if (OwnViewId !== null) {
        const key = await find(person, OwnViewId, viewId);
        await refusingTakenNames(() => updateOwnView(knex, key, change));
        return OwnViewId;
      }
      await views.find(person, viewId);
      const of = { TableViewId: viewId, UserId: person.UserId };
      return refusingTakenNames(() =>
        inTransaction(knex, async (trx) => {
          const Id = await insertOwnView(trx, { ...of, ...change });
          if ((await listOwnViewRows(trx, of)).length > MAX_OWN_VIEWS) throw tooMany();
          return Id;
        }),
      );
    },
    rename: async (person, id, name) => {
      const key = await find(person, id);
      await refusingTakenNames(() => updateOwnView(knex, key, named(name)));
    },
    delete: async (person, id) => deleteOwnViewRow(knex, await find(person, id)),
  };
}

function named(name: string): { Name: string; NameKey: string } {
  const Name = name.trim();
  if (Name === '') throw refused('Name', 'Name must be provided');
  const NameKey = Name.toLowerCase();
  if (Math.max(Name.length, NameKey.length) > OWN_VIEW_NAME_MAX)
    throw refused('Name', `Name must not exceed ${OWN_VIEW_NAME_MAX} characters`);
  return { Name, NameKey };
}

function checkedChoice(choice: ViewChoice): string {
  const text = JSON.stringify(choice);
  if (text.length <= VIEW_CHOICE_MAX) return text;
  const max = VIEW_CHOICE_MAX.toLocaleString('en');
  throw refused('Choice', `Filters, condition and columns have more than ${max} characters in total`);
}

const refused = (field: string, message: string, code = 'ownViewInvalid'): AppError =>
  new AppError(code, 400, message, { modelState: { [field]: [message] } });

const tooMany = (): AppError =>
  new AppError(
    'tooManyOwnViews',
    400,
    `You can save at most ${MAX_OWN_VIEWS} of your own views per table view: delete one first`,
  );

const notFound = (): AppError => new AppError('ownViewNotFound', 404, 'You do not have this view');
