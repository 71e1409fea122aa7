import type { Endpoint } from './endpoint.ts';

/**
 * Settings of the embedded server, given on the command line so that each version of the program brings its own.
 * Everything that keeps data safe (fsync, synchronous_commit, full_page_writes) stays as PostgreSQL has it, except in tests.
 * `launch` marks the lines that this server and its processes write to the log: those of a killed one may still write to it.
 */
export function serverSettings(endpoint: Endpoint, durable: boolean, launch: string): string[] {
  const onSocket = process.platform !== 'win32';
  const settings: Record<string, string> = {
    port: String(endpoint.port),
    listen_addresses: onSocket ? '' : endpoint.host,
    max_connections: durable ? '60' : '200',
    shared_buffers: '128MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    max_wal_size: '1GB',
    // Nobody replicates from here, so less has to be written ahead.
    wal_level: 'minimal',
    max_wal_senders: '0',
    // Short statements all: compiling them costs more than it saves.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_min_messages: 'warning',
    logging_collector: 'off',
    log_line_prefix: `%m [%p ${launch}] `,
    tcp_keepalives_idle: '60',
  };
  if (onSocket) {
    settings.unix_socket_directories = endpoint.host.replaceAll('"', '""');
    settings.unix_socket_permissions = '0700';
  }
  // What was committed still outlives the process, though no longer the machine.
  if (!durable) {
    settings.fsync = 'off';
    settings.full_page_writes = 'off';
    settings.autovacuum = 'off';
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
