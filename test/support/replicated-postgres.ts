/**
 * Two PostgreSQL servers, the second being a synchronous standby of the first, behind one address that can lead to
 * either.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { findBinaries } from '#server/db/embedded/binaries.ts';
import { clusterPaths, openCluster, postgresEnvironment, type Cluster } from '#server/db/embedded/cluster.ts';
import { databaseUrl, provision, withClient } from '#server/db/embedded/provision.ts';
import { chooseRunAs, giveTo } from '#server/db/embedded/run-as.ts';
import { STALL_TIMEOUT_MS, until, untilProgress } from './until.ts';

export interface ReplicatedPostgres {
  /** The URL of the address, for RUNSHEET_DATABASE_URL. */
  url: string;
  /** Queries the server to which the address leads, as superuser. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
  /** Closes all connections through the address; new ones can be opened immediately. */
  cut(): void;
  /** Kills the first server, promotes the second one and redirects the address to it. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
/** Only part of the socket names: each server has its own socket folder, so no port needs to be free. */
const PORT = 5432;

export async function replicatedPostgres(folder: string): Promise<ReplicatedPostgres> {
  const paths = clusterPaths(folder);
  await mkdir(paths.folder, { recursive: true, mode: 0o711 });
  const runAs = await chooseRunAs(paths.folder);
  const cluster = await openCluster({ paths, binaries: await findBinaries(), runAs, durable: false });
  const { password } = cluster;
  const first = await server(cluster, paths.cluster, []);
  await provision({ host: first.host, port: PORT, password });
  await first.end('SIGINT');

  const copy = join(paths.folder, 'standby');
  await cp(paths.cluster, copy, { recursive: true });
  await writeFile(join(copy, 'standby.signal'), '');
  await giveTo(runAs, copy);
  // A commit is confirmed once the standby has it.
  const primary = await server(cluster, paths.cluster, ['synchronous_standby_names=*']);
  const at = `host=${primary.host} port=${PORT} user=postgres password=${password}`;
  const standby = await server(cluster, copy, [`primary_conninfo=${at}`]);
  const ask = (host: string, sql: string) =>
    withClient(
      { connectionString: databaseUrl({ host, port: PORT, password }, 'postgres', 'runsheet') },
      async (client) => (await client.query(sql)).rows as Record<string, unknown>[],
    );
  await until(
    'the standby follows',
    async () => (await ask(primary.host, "select 1 from pg_stat_replication where sync_state = 'sync'")).length === 1,
    STALL_TIMEOUT_MS,
  );

  const address = await switchable(primary.host);
  return {
    url: databaseUrl({ host: HOST, port: address.port, password }, 'runsheet', 'runsheet'),
    ask: (sql) => ask(address.target(), sql),
    cut: address.cut,
    failOver: async () => {
      await primary.end('SIGKILL');
      await ask(standby.host, 'select pg_promote(true)');
      address.lead(standby.host);
      address.cut();
    },
    stop: async () => {
      address.close();
      await Promise.all([primary.end('SIGKILL'), standby.end('SIGKILL')]);
    },
  };
}

interface Server {
  /** The folder of its socket. */
  host: string;
  end(signal: NodeJS.Signals): Promise<void>;
}

async function server({ binaries, runAs }: Cluster, folder: string, more: readonly string[]): Promise<Server> {
  const host = `${folder}-socket`;
  await mkdir(host, { recursive: true, mode: 0o700 });
  await giveTo(runAs, host);
  const settings = [
    `port=${PORT}`,
    'listen_addresses=',
    `unix_socket_directories=${host}`,
    'max_wal_senders=3',
    'wal_level=replica',
    'hot_standby=on',
    'wal_receiver_status_interval=1',
    ...more,
  ];
  const [command = '', ...args] = [
    ...runAs.prefix,
    binaries.postgres,
    '-D',
    folder,
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  const child: ChildProcess = spawn(command, args, {
    ...runAs.identity,
    cwd: folder,
    env: postgresEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr!.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await untilProgress(
    'a server answers',
    () => {
      if (child.exitCode !== null) throw new Error(`a server ended:\n${said.join('')}`);
      return said.join('');
    },
    (text) => text.includes('ready to accept'),
  );
  return {
    host,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

/** An address that forwards connections to one of the servers, given by the folder of its socket. */
async function switchable(first: string) {
  let target = first;
  const open = new Set<Socket>();
  const address = createServer((near) => {
    const far = connect(join(target, `.s.PGSQL.${PORT}`));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from
        .on('error', () => {})
        .once('close', () => {
          open.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  address.listen(0, HOST);
  await once(address, 'listening');
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    port: (address.address() as AddressInfo).port,
    target: () => target,
    lead: (host: string) => void (target = host),
    cut,
    close: () => {
      address.close();
      cut();
    },
  };
}
