/** Exports and imports the grants and denials of users and roles as CSV. */
import type { Client } from '#shared/client/client.ts';
import {
  grantInfo,
  listRights,
  roleGrants,
  specificGrantInfo,
  specificRights,
  userGrants,
  type AccessValue,
  type GrantChange,
  type GrantInfo,
  type Key,
} from '#shared/contract/right-grants.ts';
import { CliError } from '../cli-error.ts';
import { readCsvRows } from '../csv-file.ts';

export const RIGHT_COLUMNS = ['Right', 'KeyColumn', 'Key', 'Name', 'User', 'Role', 'Access'] as const;
type Column = (typeof RIGHT_COLUMNS)[number];

const ACCESS: ReadonlyMap<string, AccessValue> = new Map([
  ['granted', 1],
  ['denied', -1],
  ['none', 0],
]);
const CHANGES = new Map<AccessValue, GrantChange>([
  [1, 'grant'],
  [-1, 'deny'],
  [0, 'delete'],
]);
const CHANGE_TEXTS: Record<GrantChange, string> = { grant: 'Granted', deny: 'Denied', delete: 'Removed' };

const infoOf = (client: Client, name: string, key: Key, query: { Held?: boolean }): Promise<GrantInfo> =>
  key === null
    ? client.call(grantInfo, { params: { name }, query })
    : client.call(specificGrantInfo, { params: { name, keyColumn: key.column, value: key.value }, query });

/**
 * Exports what was granted or denied to users and roles directly, not what results from it, and not the rights of the
 * internet.
 */
export async function exportRights(client: Client): Promise<Record<Column, string>[]> {
  const rows: Record<Column, string>[] = [];
  const add = async (name: string, key: Key, shown: string): Promise<void> => {
    const { UserGrants, RoleGrants } = await infoOf(client, name, key, { Held: true });
    const row = (access: AccessValue, who: { User: string; Role: string }): void => {
      if (access === 0) return;
      const Access = access === 1 ? 'granted' : 'denied';
      rows.push({ Right: name, KeyColumn: key?.column ?? '', Key: key?.value ?? '', Name: shown, ...who, Access });
    };
    for (const { UserName, ExplicitAccess } of UserGrants) row(ExplicitAccess, { User: UserName, Role: '' });
    for (const { RoleName, ExplicitAccess } of RoleGrants) row(ExplicitAccess, { User: '', Role: RoleName });
  };
  const { Items } = await client.call(listRights);
  for (const { Name, KeyColumnName, UserCount, RoleCount } of Items) {
    if (UserCount + RoleCount === 0) continue;
    if (KeyColumnName === '') {
      await add(Name, null, '');
      continue;
    }
    const values = await client.call(specificRights, { params: { name: Name, keyColumn: KeyColumnName } });
    for (const value of values.Items.filter((one) => one.UserCount + one.RoleCount > 0)) {
      await add(Name, { column: KeyColumnName, value: value.KeyColumnValue }, value.DisplayColumnValue);
    }
  }
  return rows;
}

interface Wanted {
  line: number;
  user: string;
  role: string;
  access: AccessValue;
}

interface Change {
  kind: 'user' | 'role';
  name: string;
  userId: number;
  change: GrantChange;
}

/** Checks the whole file before the first change; rights that are not in it stay unchanged. */
export async function importRights(
  client: Client,
  path: string,
  { isTrial, onLine }: { isTrial: boolean; onLine: (text: string) => void },
): Promise<void> {
  const rows = await readCsvRows<Column>(path, { columns: RIGHT_COLUMNS, required: ['Right', 'Access'] });
  const groups = new Map<string, { right: string; key: Key; name: string; line: number; wanted: Wanted[] }>();
  for (const { line, cells } of rows) {
    const { Right: right = '', KeyColumn = '', Key = '', Name: name = '', User: user = '', Role: role = '' } = cells;
    const access = ACCESS.get(cells.Access!.toLowerCase());
    if (access === undefined) {
      throw new CliError(`${path}, line ${line}: Access must be granted, denied or none, not "${cells.Access}"`);
    }
    if ((user === '') === (role === '')) throw new CliError(`${path}, line ${line}: name either a user or a role`);
    if ((KeyColumn === '') !== (Key === ''))
      throw new CliError(`${path}, line ${line}: set both KeyColumn and Key, or neither`);
    const key = KeyColumn === '' ? null : { column: KeyColumn, value: Key };
    const id = JSON.stringify([right, key]);
    const group = groups.get(id) ?? { right, key, name, line, wanted: [] };
    // The name is only for comparison: a single line with a different name is an error.
    if (group.name !== name)
      throw new CliError(`${path}, line ${line}: line ${group.line} has another name for the same key`);
    group.wanted.push({ line, user, role, access });
    groups.set(id, group);
  }
  const planned: { right: string; key: Key; changes: Change[] }[] = [];
  for (const { right, key, name, line, wanted } of groups.values()) {
    const info = await infoOf(client, right, key, {});
    // Ids of activities differ between portals: a right must not be given for a different activity with the same id.
    if (name !== '' && info.DisplayColumnValue !== name) {
      throw new CliError(
        `${path}, line ${line}: ${key?.column} ${key?.value} is "${info.DisplayColumnValue}" here, not "${name}"`,
      );
    }
    planned.push({ right, key, changes: wanted.flatMap((one) => changesOf(info, one, path)) });
  }
  for (const { right, key, changes } of planned) {
    for (const change of new Set(changes.map((one) => one.change))) {
      const of = (kind: Change['kind']): Change[] =>
        changes.filter((one) => one.kind === kind && one.change === change);
      if (!isTrial) await applyChanges(client, { right, key, change }, of('user'), of('role'));
      for (const { name } of [...of('user'), ...of('role')]) {
        onLine(`${CHANGE_TEXTS[change]}: ${right}${key === null ? '' : ` (${key.column} ${key.value})`}, ${name}`);
      }
    }
  }
  if (planned.every(({ changes }) => changes.length === 0)) onLine('Nothing to change');
}

function changesOf(
  { UserGrants, RoleGrants }: GrantInfo,
  { line, user, role, access }: Wanted,
  path: string,
): Change[] {
  const change = CHANGES.get(access)!;
  if (user !== '') {
    const found = UserGrants.find(({ UserName }) => UserName.toLowerCase() === user.toLowerCase());
    if (!found) throw new CliError(`${path}, line ${line}: there is no user "${user}"`);
    if (found.ExplicitAccess === access) return [];
    return [{ kind: 'user', name: found.UserName, userId: found.UserId, change }];
  }
  const found = RoleGrants.find(({ RoleName }) => RoleName.toLowerCase() === role.toLowerCase());
  if (!found) throw new CliError(`${path}, line ${line}: there is no role "${role}"`);
  return found.ExplicitAccess === access ? [] : [{ kind: 'role', name: found.RoleName, userId: 0, change }];
}

async function applyChanges(
  client: Client,
  { right: name, key, change }: { right: string; key: Key; change: GrantChange },
  users: readonly Change[],
  roles: readonly Change[],
): Promise<void> {
  const ids = users.map(({ userId }) => userId);
  const names = roles.map((role) => role.name);
  if (key === null) {
    if (ids.length > 0) await client.call(userGrants[change].all, { params: { name }, body: ids });
    if (names.length > 0) await client.call(roleGrants[change].all, { params: { name }, body: names });
    return;
  }
  const params = { name, keyColumn: key.column, value: key.value };
  if (ids.length > 0) await client.call(userGrants[change].one, { params, body: ids });
  if (names.length > 0) await client.call(roleGrants[change].one, { params, body: names });
}
