import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionProblems } from '#server/config/connection-settings.ts';
import { createDatabase } from './database.ts';
import { mssqlConnection } from './mssql-client.ts';
import { mssqlUrlProblem } from './mssql-url.ts';
import { makeCertificate, makeServerCertificate } from '#test/support/peers/certificates.ts';
import { listen, type Listening } from '#test/support/peers/peer.ts';

const URL_OF = (query: string, user = 'sa:x'): string => `mssql://${user}@db.example.com/app?${query}`;

describe('the URL of a SQL Server', () => {
  it.each([
    ['encrypt=true&trustServerCertificate=false&instanceName=X', 'sa:x'],
    ['encrypt=strict&hostNameInCertificate=db.internal&multiSubnetFailover=true&applicationIntent=ReadOnly', 'sa:x'],
    ['authentication=NTLM&domain=CORP', 'ann:x'],
    ['authentication=ActiveDirectoryDefault', ''],
    ['authentication=ActiveDirectoryManagedIdentity&clientId=5f4dcc3b', ''],
    ['authentication=ActiveDirectoryServicePrincipal&tenantId=contoso', 'client:secret'],
  ])('may say %s', (query, user) => {
    expect(mssqlUrlProblem(URL_OF(query, user))).toBeNull();
    expect(() => mssqlConnection(URL_OF(query, user))).not.toThrow();
  });

  it.each([
    ['encypt=true', 'there is no parameter encypt'],
    ['encrypt=yes', 'encrypt must be one of true, false, strict'],
    ['encrypt=true&encrypt=false', 'encrypt stands twice'],
    ['columnEncryption=Enabled', 'Always Encrypted is not supported'],
    ['integratedSecurity=true', 'Kerberos'],
    ['authentication=ActiveDirectoryInteractive', 'authentication must be one of'],
    ['authentication=NTLM', 'needs domain='],
    ['domain=CORP', 'domain goes with'],
    ['authentication=ActiveDirectoryServicePrincipal', 'needs tenantId='],
    ['authentication=ActiveDirectoryDefault', 'takes no password'],
    ['clientId=a', 'clientId goes with'],
    ['caFile=', 'caFile is empty'],
  ])('is refused by name where it says %s', (query, said) => {
    const problem = mssqlUrlProblem(URL_OF(query, 'sa:hunter2'));
    expect(problem).toContain(said);
    expect(problem).not.toContain('hunter2');
    expect(() => createDatabase({ url: URL_OF(query, 'sa:hunter2') })).toThrow(said);
  });

  it('is checked where the settings of named connections are read', () => {
    const problems = connectionProblems({ Ledger: { url: URL_OF('encrypted=true', 'sa:hunter2') } });
    expect(problems).toEqual([expect.stringContaining('the connection Ledger: there is no parameter encrypted')]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('names a file of certificates that is not there', () => {
    expect(() => mssqlConnection(URL_OF('caFile=/nowhere/ca.pem'))).toThrow(/\/nowhere\/ca\.pem.*ENOENT/);
  });

  it.each([
    [
      'authentication=ActiveDirectoryDefault&clientId=c1',
      '',
      { type: 'azure-active-directory-default', clientId: 'c1' },
    ],
    ['authentication=ActiveDirectoryManagedIdentity', '', { type: 'azure-active-directory-msi-vm' }],
    [
      'authentication=ActiveDirectoryServicePrincipal&tenantId=t1',
      'c1:s%40',
      { type: 'azure-active-directory-service-principal-secret', clientId: 'c1', clientSecret: 's@', tenantId: 't1' },
    ],
    ['authentication=NTLM&domain=CORP', 'ann:p', { type: 'ntlm', userName: 'ann', password: 'p', domain: 'CORP' }],
  ])('signs in by %s', (query, user, expected) => {
    expect(mssqlConnection(URL_OF(query, user))).toMatchObject(expected);
  });
});

describe('a connection to a SQL Server that is strictly encrypted', () => {
  let folder = '';
  let peer: Listening;
  const greeted: (string | false | null)[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mssql-url-'));
    const authority = await makeCertificate('Test authority', { isAuthority: true });
    const { certificate: cert, key } = await makeServerCertificate(authority);
    writeFileSync(join(folder, 'ca.pem'), authority.certificate);
    // Strict mode: TLS first, and the protocol inside it (TDS 8.0). The test ends the connection after the handshake.
    const server = createServer({ cert, key, ALPNProtocols: ['tds/8.0'] }, (socket: TLSSocket) => {
      greeted.push(socket.alpnProtocol);
      socket.on('error', () => {});
      socket.destroy();
    });
    server.on('tlsClientError', () => {});
    peer = await listen(server);
  });

  afterAll(async () => {
    await peer.stop();
    rmSync(folder, { recursive: true });
  });

  async function connect(query: string): Promise<string> {
    const database = createDatabase({ url: `mssql://sa:x@localhost:${peer.port}/app?encrypt=strict${query}` });
    try {
      await database.knex.raw('select 1');
      return 'connected';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await database.close();
    }
  }

  it('is not made where nobody trusted has signed the certificate', async () => {
    expect(await connect('')).toMatch(/certificate/i);
    expect(greeted).toEqual([]);
  });

  it('is made with the certificates that caFile names, and not for another host', async () => {
    const ca = `&caFile=${encodeURIComponent(join(folder, 'ca.pem'))}`;
    expect(await connect(`${ca}&hostNameInCertificate=other.example.com`)).toMatch(/altnames|does not match/i);
    expect(greeted).toEqual([]);
    expect(await connect(ca)).not.toMatch(/certificate/i);
    expect(greeted).toEqual(['tds/8.0']);
  });
});
