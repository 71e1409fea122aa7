/**
 * The URL's encryption parameters on a real server. RUNSHEET_TEST_MSSQL_CA_FILE names the authority that signed the
 * certificate of RUNSHEET_TEST_MSSQL_URL.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from '#server/db/database.ts';
import { isOtherMakersServer } from '#test/support/sql-server.ts';

const SERVER = process.env['RUNSHEET_TEST_MSSQL_URL'];
const AUTHORITIES = process.env['RUNSHEET_TEST_MSSQL_CA_FILE'];

async function on<T>(parameters: Record<string, string>, work: (database: Database) => Promise<T>): Promise<T> {
  const url = new URL(SERVER!);
  url.search = new URLSearchParams(parameters).toString();
  const database = createDatabase({ url: url.href, poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const isEncrypted = async ({ knex }: Database): Promise<string> => {
  const [row] = (await knex.raw(
    'select cast([encrypt_option] as varchar(10)) as [is] from [sys].[dm_exec_connections] where [session_id] = @@spid',
  )) as { is: string }[];
  return row!.is;
};

describe('a connection to a SQL Server', () => {
  beforeEach((context) => {
    context.skip(!SERVER, 'RUNSHEET_TEST_MSSQL_URL is not set');
    context.skip(!AUTHORITIES, 'RUNSHEET_TEST_MSSQL_CA_FILE is not set');
  });

  it('is encrypted, with the certificates of caFile', async () => {
    expect(await on({ encrypt: 'true', caFile: AUTHORITIES! }, isEncrypted)).toBe('TRUE');
  });

  it('is refused where nobody who is trusted has signed the certificate, and where it names another host', async () => {
    await expect(on({ encrypt: 'true' }, isEncrypted)).rejects.toThrow(/certificate/i);
    const elsewhere = { encrypt: 'true', caFile: AUTHORITIES!, hostNameInCertificate: 'other.example.com' };
    await expect(on(elsewhere, isEncrypted)).rejects.toThrow(/altnames|does not match/i);
  });

  it('is encrypted strictly, with the certificates of caFile', async (context) => {
    const isOther = await on({ encrypt: 'true', caFile: AUTHORITIES! }, ({ knex }) => isOtherMakersServer(knex));
    context.skip(
      isOther,
      "encrypt=strict: 'TDS 8.0' has TLS before all else, as SQL Server 2022 and Azure do; this server ends such a connection",
    );
    expect(await on({ encrypt: 'strict', caFile: AUTHORITIES! }, isEncrypted)).toBe('TRUE');
  });
});
