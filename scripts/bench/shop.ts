/** A portal with a shop database, for benches that measure how portals show other databases. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { printMachine } from './measure.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';

/**
 * Fills the shop, then measures. The portal knows the shop as the connection Shop. The measurement also gets a separate
 * client.
 */
export async function withShop(
  fill: (client: Client) => Promise<void>,
  measure: (portal: BenchPortal, client: Client, shopUrl: string) => Promise<void>,
): Promise<void> {
  printMachine();
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-bench-shop-'));
  const shop = await startEmbeddedPostgres(folder, pino({ level: 'silent' }));
  const client = new Client({ connectionString: shop.url });
  await client.connect();
  await fill(client);
  const portal = await startBenchPortal({ connections: { Shop: { url: shop.url } } });
  try {
    await measure(portal, client, shop.url);
  } finally {
    await portal.stop();
    await client.end();
    await shop.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
