import type { ServerState } from '#server/base/server-state.ts';
import type { Config } from '#server/config/config-schema.ts';
import type { SignInSources } from '#server/config/sign-in-sources.ts';
import type { Database } from '#server/db/database.ts';
import type { DirectoriesService } from '#server/features/directories/directories-service.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { MailSender } from '#server/mail/mail-sender.ts';

export interface SetupDeps {
  config: Config;
  database: Pick<Database, 'knex' | 'dialect'>;
  fileStore: Pick<FileStore, 'check' | 'put' | 'read' | 'delete' | 'has'>;
  mail: MailSender;
  license: Pick<LicenseService, 'current' | 'allowsRuns'>;
  sources: SignInSources;
  directories: Pick<DirectoriesService, 'check' | 'find'>;
  users: Pick<UsersService, 'screenChoicesOf'>;
  state: Readonly<ServerState>;
}
