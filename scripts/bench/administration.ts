/**
 * Measures administration with many users over HTTP: the security matrix of 5,000 users with 40 rights each, and the
 * lists of 50,000 users and 500 roles. The peer of a list is its bare SQL statement. The peer of the matrix is a
 * grouped query of the grants.
 */
import { compare, print, printMachine, summary } from './measure.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';

const MATRIX_USERS = 5_000;
const RIGHTS = 40;
const USERS = 50_000;
const ROLES = 500;
const MEMBERS = 200;
const ROUNDS = 15;

const FIRST_NAMES = `(array['Anna','Bruno','Carla','Dario','Elif','Fritz','Greta','Hugo'])[n % 8 + 1]`;
const LAST_NAMES = `(array['Arnold','Berger','Çelik','Dubois','Egger','Fischer','Gerber'])[n % 7 + 1] || ' ' || n`;

function addUsers({ database: { knex } }: BenchPortal, from: number, to: number): Promise<unknown> {
  return knex.raw(
    `insert into "Users" ("UserName", "UserNameKey", "Source", "FirstName", "LastName", "Email")
     select 'person' || n, 'person' || n, 'Local', ${FIRST_NAMES}, ${LAST_NAMES}, 'person' || n || '@example.org'
     from generate_series(${from}::int, ${to}::int) n`,
  );
}

/**
 * Inserts a grant for each user and right. Each user has separate grants, so the server cannot reuse the rows of one
 * user for another.
 */
async function grantMatrix(portal: BenchPortal): Promise<void> {
  const { knex } = portal.database;
  const { Items } = await portal.call<{ Items: { Name: string }[] }>('GET', '/api/rights');
  const known = new Set(Items.map(({ Name }) => Name)).size;
  await knex.raw(
    `insert into "Rights" ("Name") select 'bench.right' || n from generate_series(1, ${RIGHTS - known}) n`,
  );
  await knex.raw(
    `insert into "Grants" ("RightName", "GranteeKind", "Grantee", "Access", "KeyColumnName", "KeyColumnValue")
     select r."Name", 'user', u."UserId"::text, case when (u."UserId" + length(r."Name")) % 9 = 0 then -1 else 1 end, '', ''
     from "Users" u cross join (
       select distinct name as "Name" from unnest(?::text[]) name union select "Name" from "Rights"
     ) r where u."UserName" like 'person%'`,
    [[...new Set(Items.map(({ Name }) => Name))]],
  );
  await knex.raw('analyze');
}

async function readWhole(
  { address, headers }: BenchPortal,
  path: string,
): Promise<{ firstByte: number; bytes: number }> {
  const start = performance.now();
  const answer = await fetch(address + path, { headers });
  let firstByte = 0;
  let bytes = 0;
  for await (const chunk of answer.body! as unknown as AsyncIterable<Uint8Array>) {
    if (bytes === 0) firstByte = performance.now() - start;
    bytes += chunk.byteLength;
  }
  return { firstByte, bytes };
}

async function measureMatrix(portal: BenchPortal): Promise<void> {
  await addUsers(portal, 1, MATRIX_USERS);
  await grantMatrix(portal);
  const path = '/api/rights/userRightList';
  const { result } = (await (await fetch(portal.address + path, { headers: portal.headers })).json()) as {
    result: { Items: unknown[] };
  };
  const firstBytes: number[] = [];
  const processorTimes: number[] = [];
  let size = 0;
  const comparison = await compare(
    `matrix of ${MATRIX_USERS} users and ${RIGHTS} rights, ${result.Items.length} rows`,
    {
      ours: async () => {
        const before = process.cpuUsage();
        const { firstByte, bytes } = await readWhole(portal, path);
        const { user, system } = process.cpuUsage(before);
        processorTimes.push((user + system) / 1000);
        firstBytes.push(firstByte);
        size = bytes;
      },
      peer: () => portal.database.knex('Grants').select('Grantee', 'RightName', 'Access').orderBy('Grantee'),
      target: null,
      rounds: ROUNDS,
      warmUp: 2,
    },
  );
  print(comparison);
  const { median, max } = summary(firstBytes);
  console.log(
    `  ${(size / 1024 / 1024).toFixed(1)} MB; first byte after ${median.toFixed(0)} ms, at most ${max.toFixed(0)} ms`,
  );
  console.log(`  processor time ${summary(processorTimes).median.toFixed(0)} ms, server and reader together\n`);
}

async function addPeopleAndRoles(portal: BenchPortal): Promise<void> {
  const { knex } = portal.database;
  await addUsers(portal, MATRIX_USERS + 1, USERS);
  await knex.raw(
    `insert into "Roles" ("Name", "IsActive") select 'Role ' || to_char(n, 'FM000'), n % 10 <> 0 from generate_series(1, ${ROLES}) n`,
  );
  await knex.raw(
    `insert into "RoleUsers" ("RoleName", "UserId")
     select distinct r."Name", u."UserId" from "Roles" r
     join "Users" u on (u."UserId" * 31 + hashtext(r."Name")) % ${USERS / MEMBERS} = 0`,
  );
  await knex.raw('analyze');
}

const SHOWN = '"UserId", "UserName", "FirstName", "LastName", "Email" from "Users" where "DeletedTime" is null';

const LISTS: { title: string; path: string; sql: string }[] = [
  {
    title: 'first page of users',
    path: '/api/users?Take=100',
    sql: `select ${SHOWN} order by "UserNameKey" limit 100`,
  },
  {
    title: 'page of users in the middle',
    path: '/api/users?Take=100&Skip=25000',
    sql: `select ${SHOWN} order by "UserNameKey" offset 25000 limit 100`,
  },
  {
    title: 'search of users that finds many',
    path: '/api/users?Take=100&Search=greta',
    sql: `select ${SHOWN} and "FirstName" ilike '%greta%' order by "UserNameKey" limit 100`,
  },
  {
    title: 'search of users that finds one',
    path: '/api/users?Take=100&Search=person49999',
    sql: `select ${SHOWN} and "UserName" ilike '%person49999%' order by "UserNameKey" limit 100`,
  },
  { title: 'roles', path: '/api/roles', sql: 'select * from "Roles" order by "Name"' },
  {
    title: 'a role with its users first',
    path: '/api/roles/Role%20123?Take=100',
    sql: `select * from "RoleUsers" where "RoleName" = 'Role 123' limit 100`,
  },
  {
    title: 'search among the users of a role',
    path: '/api/roles/Role%20123?Take=100&Search=greta&Included=true',
    sql: `select * from "RoleUsers" where "RoleName" = 'Role 123' limit 100`,
  },
  {
    title: 'who holds a right',
    path: '/api/rights/sk.RunActivity?Take=100&Held=true',
    sql: `select * from "Grants" where "RightName" = 'sk.RunActivity' limit 100`,
  },
];

async function measureLists(portal: BenchPortal): Promise<void> {
  await addPeopleAndRoles(portal);
  for (const { title, path, sql } of LISTS) {
    const comparison = await compare(`${title} (${USERS} users, ${ROLES} roles)`, {
      ours: () => portal.call('GET', path),
      peer: () => portal.database.knex.raw(sql),
      target: null,
      rounds: ROUNDS,
      warmUp: 2,
    });
    print(comparison);
  }
}

export async function benchAdministration(): Promise<void> {
  printMachine();
  const portal = await startBenchPortal();
  try {
    await measureMatrix(portal);
    await measureLists(portal);
  } finally {
    await portal.stop();
  }
}
