import { Client } from 'pg';

/** Ends the statement that a process of the server works on, from a connection of its own: the pool may be busy to the last. */
export async function cancelPg(url: string, processId: number): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'runsheet', connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_cancel_backend($1)', [processId]);
  } finally {
    await client.end();
  }
}
