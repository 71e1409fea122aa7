/**
 * A process that holds an embedded PostgreSQL server until it is killed: node embedded-parent.ts FOLDER. Prints one
 * line of JSON.
 */
import { pino } from 'pino';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';

const [folder = ''] = process.argv.slice(2);
const server = await startEmbeddedPostgres(folder, pino({ level: 'silent' }), { durable: false });
process.stdout.write(`${JSON.stringify({ pid: server.pid(), url: server.url, uid: process.getuid?.() })}\n`);
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
setInterval(() => {}, 1000);
