/** 500 users in 20 roles, with names as they occur in companies. */
import type { Database } from '#server/db/database.ts';

// oxfmt-ignore
const FIRST_NAMES = [
  'Ada', 'Ansgar', 'Béatrice', 'Chiara', 'Daniel', 'Elif', 'Fatima', 'Grace', 'Hiroshi', 'Ingrid', 'João', 'Karin', 'Lukas', 'Maria-Magdalena',
  'Nils', 'Oluwaseun', 'Priya', 'Quentin', 'Rosa', 'Søren', 'Tomáš', 'Ute', 'Václav', 'Wei', 'Yusuf', 'Zoë',
];
// oxfmt-ignore
const LAST_NAMES = [
  'Arnold', 'Bernoulli', 'Çelik', 'Dubois', 'Egger', 'Fischer', 'García Márquez', 'Hopper', 'Ito', 'Jansen', 'Kovalevskaya', 'Lovelace',
  'Müller-Lüdenscheidt', 'Nguyễn', 'O’Connor', 'Patel', 'Rossi', 'Schmidt', 'Tanaka', 'Übel', 'von Neumann', 'Weiß', 'Żeromski',
];
const TEAMS = ['Accounting', 'Audit', 'Controlling', 'Credit risk', 'Market risk', 'Operations', 'Sales', 'Treasury'];
const CITIES = ['Berlin', 'Zürich', 'London'];
const ROLES = 20;

/** Returns their Ids. */
export async function addPeople({ knex }: Database, count: number, random: () => number): Promise<number[]> {
  const people = Array.from({ length: count }, (_, index) => {
    const FirstName = FIRST_NAMES[index % FIRST_NAMES.length]!;
    const LastName = LAST_NAMES[(index * 7) % LAST_NAMES.length]!;
    const UserName =
      `${FirstName}.${LastName}`
        .toLowerCase()
        .replaceAll(/[^\p{L}.]/gu, '')
        .slice(0, 40) + index;
    return {
      UserName,
      UserNameKey: UserName,
      Source: 'Local',
      FirstName,
      LastName,
      Email: `person${index}@example.org`,
      Enabled: index % 29 !== 28,
      LastLoginTime: index % 5 === 4 ? null : new Date(Date.now() - random() * 60 * 86_400_000),
    };
  });
  const rows = (await knex('Users').insert(people).returning('UserId')) as { UserId: number }[];
  const ids = rows.map(({ UserId }) => UserId);
  const roles = CITIES.flatMap((city) => TEAMS.map((team) => `${team} ${city}`)).slice(0, ROLES);
  await knex('Roles').insert(roles.map((Name) => ({ Name, IsActive: true })));
  await knex('RoleUsers').insert(ids.map((UserId, index) => ({ RoleName: roles[index % ROLES]!, UserId })));
  await knex('Grants').insert(
    roles.flatMap((Grantee, index) =>
      ['sk.RunActivity', ...(index % 4 === 0 ? ['sk.ViewRuns'] : [])].map((RightName) => ({
        RightName,
        KeyColumnName: '',
        KeyColumnValue: '',
        GranteeKind: 'role',
        Grantee,
        Access: 1,
      })),
    ),
  );
  return ids;
}
