/** Exports and imports the users of a portal as CSV. */
import type { Client } from '#shared/client/client.ts';
import { excludeUsers, includeUsers, listRoles, roleUsers } from '#shared/contract/roles.ts';
import {
  createUser,
  disableUser,
  enableUser,
  listUsers,
  updateUser,
  type User,
  type UserAbilities,
} from '#shared/contract/users.ts';
import { CliError } from '../cli-error.ts';
import { readCsvRows, readFlag, type CsvRow } from '../csv-file.ts';

const FIELDS = ['FirstName', 'MiddleName', 'LastName', 'Email'] as const;
const ORIGIN = ['Source', 'SourceName', 'SourceUserName'] as const;
export const USER_COLUMNS = ['UserName', ...FIELDS, 'Enabled', 'IsUserAdmin', ...ORIGIN, 'Roles'] as const;
type Column = (typeof USER_COLUMNS)[number];
type Row = CsvRow<Column>;

const SEPARATOR = '|';

/** Returns the names of roles by user id; roles without users have no entry. */
async function rolesOfUsers(client: Client): Promise<{ names: string[]; byUser: Map<number, Set<string>> }> {
  const { Items } = await client.call(listRoles);
  const byUser = new Map<number, Set<string>>();
  for (const { Name, UserCount } of Items) {
    if (UserCount === 0) continue;
    const members = await client.call(roleUsers, { params: { name: Name }, query: { Included: true } });
    for (const { UserId } of members.Items) byUser.set(UserId, (byUser.get(UserId) ?? new Set()).add(Name));
  }
  return { names: Items.map(({ Name }) => Name), byUser };
}

/** @param withRoles requires the right to manage roles */
export async function exportUsers(client: Client, withRoles: boolean): Promise<Record<Column, string>[]> {
  const { Items } = await client.call(listUsers, { query: {} });
  const byUser = withRoles ? (await rolesOfUsers(client)).byUser : new Map<number, Set<string>>();
  return Items.map((user) => {
    const roles = [...(byUser.get(user.UserId) ?? [])].toSorted();
    const ambiguous = roles.find((name) => name.includes(SEPARATOR));
    if (ambiguous !== undefined)
      throw new CliError(
        `The name of the role "${ambiguous}" contains ${SEPARATOR}, which separates roles in the file`,
      );
    const flags = { Enabled: user.Enabled ? 'yes' : 'no', IsUserAdmin: user.IsUserAdmin ? 'yes' : 'no' };
    return { ...user, ...flags, Roles: roles.join(SEPARATOR) } as Record<Column, string>;
  });
}

interface ImportOptions {
  isTrial: boolean;
  onLine: (text: string) => void;
}

interface Plan {
  say: string;
  apply: () => Promise<unknown>;
}

/**
 * Checks the whole file before the first change. No users are deleted, and users who are not in the file stay
 * unchanged.
 */
export async function importUsers(client: Client, path: string, { isTrial, onLine }: ImportOptions): Promise<void> {
  const rows = await readCsvRows<Column>(path, { columns: USER_COLUMNS, required: ['UserName'] });
  const { Items, ...abilities } = await client.call(listUsers, { query: {} });
  const users = new Map(Items.map((user) => [user.UserName.toLowerCase(), user]));
  const roles = rows[0]?.cells.Roles === undefined ? undefined : await rolesOfUsers(client);
  const seen = new Map<string, number>();
  const plans: Plan[] = [];
  for (const row of rows) {
    const name = row.cells.UserName!;
    const key = name.toLowerCase();
    if (name === '') throw new CliError(`${path}, line ${row.line}: UserName is empty`);
    if (seen.has(key)) throw new CliError(`${path}, line ${row.line}: ${name} is in line ${seen.get(key)} already`);
    seen.set(key, row.line);
    const where = `${path}, line ${row.line}`;
    plans.push(...planOf(client, row, users.get(key), { roles, onLine, where, abilities }));
  }
  for (const { say, apply } of plans) {
    if (!isTrial) await apply();
    onLine(say);
  }
  if (plans.length === 0) onLine('Nothing to change');
}

interface PlanContext {
  roles: Awaited<ReturnType<typeof rolesOfUsers>> | undefined;
  onLine: (text: string) => void;
  where: string;
  abilities: SignInAbilities;
}

/** What determines how new users get a password, and whether mail addresses may change. */
type SignInAbilities = Pick<UserAbilities, 'AllowPasswordReset' | 'MayChangeSignIn'>;

const BY_KEY = 'which is not allowed with an API key: run "runsheet login" and import the file without a key';

/**
 * Throws if the portal would refuse the user because of the sign-in: the portal checks this only when it makes the
 * change.
 */
function checkSignIn(
  { name, email, isLocal }: { name: string; email: string; isLocal: boolean },
  user: User | undefined,
  { where, abilities: { AllowPasswordReset, MayChangeSignIn } }: PlanContext,
): void {
  if (user) {
    if (email !== user.Email && !MayChangeSignIn)
      throw new CliError(`${where}: the line changes the mail address of ${name}, ${BY_KEY}`);
  } else if (isLocal && AllowPasswordReset && email === '') {
    throw new CliError(`${where}: ${name} has no Email, which is needed to send a link for setting a password`);
  } else if (isLocal && !AllowPasswordReset && !MayChangeSignIn) {
    const link = 'This portal sends no mail, so the link for setting a password would be shown here';
    throw new CliError(`${where}: ${name} is new. ${link}, ${BY_KEY}`);
  }
}

function planOf(client: Client, { cells }: Row, user: User | undefined, context: PlanContext): Plan[] {
  const { roles, onLine, where } = context;
  const name = cells.UserName!;
  const wanted = wantedOf(cells, user, where);
  const origin = originOf(cells, where);
  checkSignIn({ name, email: wanted.Email.trim(), isLocal: !('Source' in origin) }, user, context);
  const plans: Plan[] = [];
  /** The id of a new user is known only later. */
  let userId = user?.UserId;
  if (!user) {
    const { Enabled: _, ...fields } = wanted;
    plans.push({
      say: `New: ${name}`,
      apply: async () => {
        const created = await client.call(createUser, { body: { ...fields, ...origin } });
        userId = created.UserId;
        if (created.Warning !== undefined) onLine(`${name}: ${created.Warning}`);
        if (created.SetPasswordPath !== undefined) {
          onLine(
            `${name} must set a password within a day at ${new URL(created.SetPasswordPath.replace(/^\//, ''), client.address).href}`,
          );
        }
      },
    });
  } else {
    const { Enabled: _, ...fields } = wanted;
    const changed = [...FIELDS, 'IsUserAdmin' as const].filter((field) => wanted[field] !== user[field]);
    if (changed.length > 0) {
      const body = { ...fields, UserId: user.UserId };
      plans.push({
        say: `Changed: ${name} (${changed.join(', ')})`,
        apply: () => client.call(updateUser, { body }),
      });
    }
  }
  if (wanted.Enabled !== (user?.Enabled ?? true)) {
    const change = wanted.Enabled ? enableUser : disableUser;
    plans.push({
      say: `${wanted.Enabled ? 'Enabled' : 'Disabled'}: ${name}`,
      apply: () => client.call(change, { params: { id: userId! } }),
    });
  }
  if (roles === undefined) return plans;
  const has = (user && roles.byUser.get(user.UserId)) ?? new Set<string>();
  const asked = rolesIn(cells.Roles!, roles.names, where);
  for (const role of asked.filter((one) => !has.has(one))) {
    const input = { params: { name: role } };
    plans.push({
      say: `Added to ${role}: ${name}`,
      apply: () => client.call(includeUsers, { ...input, body: [userId!] }),
    });
  }
  for (const role of [...has].filter((one) => !asked.includes(one))) {
    const input = { params: { name: role } };
    plans.push({
      say: `Removed from ${role}: ${name}`,
      apply: () => client.call(excludeUsers, { ...input, body: [userId!] }),
    });
  }
  return plans;
}

/** Fields that are not in the file stay unchanged; for a new user they are empty. */
function wantedOf(cells: Row['cells'], user: User | undefined, where: string) {
  const text = (field: (typeof FIELDS)[number]): string => cells[field] ?? user?.[field] ?? '';
  const flag = (field: 'Enabled' | 'IsUserAdmin', otherwise: boolean): boolean =>
    cells[field] === undefined || cells[field] === ''
      ? (user?.[field] ?? otherwise)
      : readFlag(cells[field], `${where}, ${field}`);
  return {
    UserName: user?.UserName ?? cells.UserName!,
    FirstName: text('FirstName'),
    MiddleName: text('MiddleName'),
    LastName: text('LastName'),
    Email: text('Email'),
    Enabled: flag('Enabled', true),
    IsUserAdmin: flag('IsUserAdmin', false),
  };
}

function originOf(cells: Row['cells'], where: string) {
  const { Source = '', SourceName = '', SourceUserName = '' } = cells;
  if (Source === '' || Source === 'Local') return {};
  if (Source !== 'AD' && Source !== 'SSO')
    throw new CliError(`${where}: Source must be Local, AD or SSO, not "${Source}"`);
  return { Source, SourceName, SourceUserName } as const;
}

function rolesIn(text: string, names: readonly string[], where: string): string[] {
  const roleNames = text.split(SEPARATOR).map((name) => name.trim());
  return roleNames
    .filter((name) => name !== '')
    .map((name) => {
      const known = names.find((one) => one.toLowerCase() === name.toLowerCase());
      if (known === undefined) throw new CliError(`${where}: there is no role "${name}"`);
      return known;
    });
}
