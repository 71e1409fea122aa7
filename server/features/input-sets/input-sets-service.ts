/** Named sets of run form values: a person's own sets, and sets that editors share. */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityAccess, VisibleActivity } from '#server/access/activity-access.ts';
import { INPUT_SETS_MAX, type InputSet, type InputSetValue, type SaveInputSet } from '#shared/contract/input-sets.ts';
import {
  deleteInputSet,
  findInputSet,
  insertInputSet,
  listInputSets,
  readInputs,
  updateInputSet,
  type InputSetRow,
} from './input-sets-repository.ts';

export interface InputSetsService {
  list(person: Person, activityId: number): Promise<InputSet[]>;
  read(person: Person, id: number): Promise<{ Inputs: InputSetValue[] }>;
  save(person: Person, set: SaveInputSet): Promise<{ Id: number }>;
  delete(person: Person, id: number): Promise<void>;
}

const notFound = (): AppError => new AppError('inputSetNotFound', 404, 'There is no such input set');
const noPermission = (): AppError => new AppError('forbidden', 403, 'You do not have permissions for this operation');

export function createInputSetsService(database: Database, access: ActivityAccess): InputSetsService {
  const { knex, dialect } = database;

  /** Other people's sets that are not shared are treated as missing. */
  async function require(person: Person, id: number): Promise<{ set: InputSetRow; CanChange: boolean }> {
    const set = await findInputSet(knex, id);
    if (!set || (set.UserId !== person.UserId && !set.IsShared)) throw notFound();
    const visible = await access.require(knex, person, set.ActivityId);
    return { set, CanChange: mayChange(set, person, visible) };
  }

  return {
    list: async (person, activityId) => {
      const visible = await access.require(knex, person, activityId);
      const rows = await listInputSets(knex, activityId, person.UserId);
      return rows.map((row) => inputSet(row, person, visible));
    },
    read: async (person, id) => {
      await require(person, id);
      const inputs = await readInputs(knex, id);
      if (inputs === undefined) throw notFound();
      return { Inputs: JSON.parse(inputs) as InputSetValue[] };
    },
    save: async (person, { ActivityId, Name: typed, IsShared, Inputs }) => {
      const { CanEdit } = await access.require(knex, person, ActivityId);
      if (IsShared && !CanEdit) throw noPermission();
      const Name = typed.trim();
      const { UserId } = person;
      return inTransaction(knex, async (trx) => {
        // Prevents two people who save at the same time from creating two sets with the same name.
        await dialect.lock(trx, `input-sets/${ActivityId}`);
        const known = (await listInputSets(trx, ActivityId, UserId)).filter((set) => set.IsShared === IsShared);
        const same = known.find((set) => set.Name.toLowerCase() === Name.toLowerCase());
        const content = { Name, UserId, Inputs: JSON.stringify(Inputs) };
        if (same) {
          await updateInputSet(trx, same.Id, { ...content, ModifiedTime: dialect.now(trx) });
          return { Id: same.Id };
        }
        if (known.length >= INPUT_SETS_MAX) {
          const text = `No more than ${INPUT_SETS_MAX} input sets can be saved: delete one first`;
          throw new AppError('inputSetsTooMany', 409, text);
        }
        return { Id: await insertInputSet(trx, { ...content, ActivityId, IsShared }) };
      });
    },
    delete: async (person, id) => {
      const { CanChange } = await require(person, id);
      if (!CanChange) throw noPermission();
      await deleteInputSet(knex, id);
    },
  };
}

const mayChange = (set: InputSetRow, { UserId }: Person, { CanEdit }: VisibleActivity): boolean =>
  set.IsShared ? CanEdit : set.UserId === UserId;

function inputSet(row: InputSetRow, person: Person, visible: VisibleActivity): InputSet {
  const { Id, Name, IsShared, UserId, ModifiedTime } = row;
  return {
    Id,
    Name,
    IsShared,
    IsOwn: UserId === person.UserId,
    CanChange: mayChange(row, person, visible),
    UserFullName: fullName(row),
    ModifiedTime: ModifiedTime.toISOString(),
  };
}
