import type { Endpoint } from './endpoint.ts';

/**
 * Returns the settings of the embedded server. They are passed on the command line, so each version of the program
 * brings its own. Everything that protects data (fsync, synchronous_commit, full_page_writes) keeps PostgreSQL's
 * default, except in tests. `launch` marks the log lines of this server and its processes, because processes of a
 * killed server may still write to the same log.
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
    // There is no replication, so less must be written to the WAL.
    wal_level: 'minimal',
    max_wal_senders: '0',
    // All statements are short: compiling them costs more than it saves.
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
  // Committed data still survives a crash of the process, but not of the machine.
  if (!durable) {
    settings.fsync = 'off';
    settings.full_page_writes = 'off';
    settings.autovacuum = 'off';
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
