/** Composes the forwarding of the security log, if configured. */
import { readFileSync } from 'node:fs';
import type { Config } from '#server/config/config-schema.ts';
import { readSyslogAddress } from '#server/config/security-log-settings.ts';
import type { Database } from '#server/db/database.ts';
import { createSecurityLogForwarder, type SecurityLogForwarder } from './security-log-forwarder.ts';
import { createSyslogSender } from './syslog-sender.ts';
import type { Log } from '#server/base/log.ts';
import { StartError } from '#server/base/start-error.ts';

/** Returns null if the settings name no server. Throws a StartError if a certificate cannot be read. */
export function forwardSecurityLog(
  { securityLogUrl: target, securityLogCaFile }: Pick<Config, 'securityLogUrl' | 'securityLogCaFile'>,
  database: Database,
  log: Log,
): SecurityLogForwarder | null {
  const address = readSyslogAddress(target);
  if (!address) return null;
  const ca = securityLogCaFile === '' ? undefined : readCertificate(securityLogCaFile);
  const forwarder = createSecurityLogForwarder({ database, log, target, send: createSyslogSender(address, ca) });
  forwarder.start();
  return forwarder;
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new StartError(`RUNSHEET_SECURITY_LOG_CA_FILE names ${path}, which cannot be read: ${reason}`, { cause });
  }
}
