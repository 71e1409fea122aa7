/** Lists what everybody may do, and why: specification of security, section 2, Security Matrix. */
import { Readable } from 'node:stream';
import type { InternetRight, RoleRight } from '#shared/contract/security.ts';
import type { Database } from '#server/db/database.ts';
import { fullName } from '#server/base/full-name.ts';
import { listGrantUsers, listRoleStates, type GrantUser } from './grants-repository.ts';
import type { RightDefinitions } from './right-definitions.ts';
import { loadRightHolders, type RightHolders } from './right-holders-service.ts';
import { statementsOf, type Statement } from './right-statements.ts';

export interface SecurityMatrixService {
  /** Streams `{"result":{"Items":[…]}}`: with thousands of users, it is tens of megabytes long. */
  userRights(): Readable;
  roleRights(roleName?: string): Promise<RoleRight[]>;
  internetRights(): Promise<InternetRight[]>;
}

const CHUNK = 256 * 1024;
const ADMINISTRATOR = 'IsUserAdmin';

export function createSecurityMatrixService(
  { knex }: Pick<Database, 'knex'>,
  definitions: RightDefinitions,
): SecurityMatrixService {
  async function load() {
    const rights = (await definitions.known()).map(({ Name }) => Name);
    return { rights, holders: await loadRightHolders(knex), namesOf: await loadNames(definitions) };
  }

  async function* userRights(): AsyncGenerator<string> {
    const { rights, holders, namesOf } = await load();
    const { users } = await listGrantUsers(knex, { enabledOnly: true });
    const endings = endingsByKind(rights, holders, namesOf);
    let text = '{"result":{"Items":[';
    let separator = '';
    for (const user of users) {
      const start = startOf(user);
      for (const ending of endings(user)) {
        text += separator + start + ending;
        separator = ',';
      }
      if (text.length < CHUNK) continue;
      yield text;
      text = '';
    }
    yield `${text}]}}`;
  }

  return {
    userRights: () => Readable.from(userRights(), { objectMode: false, highWaterMark: CHUNK }),
    roleRights: async (roleName) => {
      const { rights, holders, namesOf } = await load();
      const names = (await listRoleStates(knex)).map(({ Name }) => Name);
      return names
        .filter((name) => roleName === undefined || name === roleName)
        .flatMap((name) =>
          statementsOf(holders.grantsOfRole(name), rights).map((said) => ({ ...said, ...namesOf(said), Source: name })),
        );
    },
    internetRights: async () => {
      const { rights, holders, namesOf } = await load();
      return statementsOf(holders.internet, rights).map((said) => {
        const { ImpliedBy, ...rest } = said;
        return { ...rest, ...namesOf(said), Source: ImpliedBy || said.Source };
      });
    },
  };
}

/** Returns the user part of a row, up to the comma before the right. */
function startOf(user: GrantUser): string {
  const { UserId, UserName } = user;
  return JSON.stringify({ UserId, UserName, UserFullName: fullName(user) }).slice(0, -1);
}

/**
 * Returns the rows of a user without the user part. Users with the same grants, such as all members of a role, share
 * them.
 */
function endingsByKind(
  rights: readonly string[],
  holders: RightHolders,
  namesOf: (statement: Statement) => object,
): (user: GrantUser) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const write = (statements: Statement[]): string[] =>
    statements.map((said) => `,${JSON.stringify({ ...said, ...namesOf(said) }).slice(1)}`);
  const everything = write(
    rights.map((RightName) => ({
      RightName,
      KeyColumnName: '',
      KeyColumnValue: '',
      Access: true,
      Source: '',
      ImpliedBy: ADMINISTRATOR,
    })),
  );
  return ({ UserId, IsUserAdmin }) => {
    if (IsUserAdmin) return everything;
    const kind = holders.kindOfUser(UserId);
    const found = known.get(kind);
    if (found) return found;
    const endings = write(statementsOf(holders.grantsOfUser(UserId), rights));
    known.set(kind, endings);
    return endings;
  };
}

interface DisplayNames {
  DisplayColumnName: string;
  DisplayColumnValue: string;
}

/** Loads the display names of key values, by right. */
async function loadNames(definitions: RightDefinitions): Promise<(statement: Statement) => DisplayNames> {
  const names = new Map<string, DisplayNames>();
  const tables = Map.groupBy(await definitions.known(), ({ TableName }) => TableName);
  const tableOf = new Map<string, string>();
  for (const [table, rights] of tables) {
    for (const { Name } of rights) tableOf.set(Name, table);
    const columns = new Map(rights.flatMap((right) => right.KeyColumns.map((column) => [column, right] as const)));
    for (const [column, right] of columns) {
      for (const { value, DisplayColumnName, DisplayColumnValue } of await definitions.keyValues(right, column)) {
        names.set(`${table} ${column} ${value}`, { DisplayColumnName, DisplayColumnValue });
      }
    }
  }
  return ({ RightName, KeyColumnName, KeyColumnValue }) =>
    names.get(`${tableOf.get(RightName)} ${KeyColumnName} ${KeyColumnValue}`) ?? {
      DisplayColumnName: '',
      DisplayColumnValue: '',
    };
}
