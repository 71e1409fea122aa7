/** Dependencies of the parts that notify others of events. */
import type { Logger } from 'pino';
import type { Config } from '#server/config/config-schema.ts';
import type { Database } from '#server/db/database.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { MailSender } from '#server/mail/mail-sender.ts';
import type { Administration } from './administration.ts';
import type { Portal } from './portal.ts';

export interface OutgoingDeps {
  config: Config;
  database: Database;
  secretKey: string;
  log: Logger;
  signals: RunSignals;
  mail: MailSender;
  rights: RightsService;
  administration: Pick<Administration, 'grants'>;
  portal: Pick<Portal, 'access' | 'checklistAccess' | 'versions' | 'runAccess' | 'sharingAccess' | 'accessNotices'>;
}
