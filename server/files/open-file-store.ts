/** Opens the file store named in the settings. */
import { join } from 'node:path';
import type { Config } from '#server/config/config-schema.ts';
import { StartError } from '#server/base/start-error.ts';
import type { Database } from '#server/db/database.ts';
import type { FileStore } from './file-store.ts';
import { StoreFolderMissing } from './folder-marker.ts';
import { createFolderFileStore } from './folder-store.ts';
import { refuseLostFiles } from './refuse-lost-files.ts';
import type { S3Settings } from './s3/s3-client.ts';

export type StoreConfig = Pick<
  Config,
  | 'dataDir'
  | 's3Bucket'
  | 's3Endpoint'
  | 's3Region'
  | 's3Prefix'
  | 's3PathStyle'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
>;

export interface OpenedFileStore {
  store: FileStore;
  close(): void;
}

/**
 * Opens a bucket if one is configured, otherwise a folder in the data folder. Throws a StartError if it cannot be used.
 * @param database the database whose files are in the store; null for a restore, which fills an empty one
 */
export async function openFileStore(
  config: StoreConfig,
  database: Pick<Database, 'knex'> | null,
): Promise<OpenedFileStore> {
  if (config.s3Bucket === '') {
    return { store: await openFolder(join(config.dataDir, 'files'), database), close: () => {} };
  }
  // Loaded only here: the S3 client is large, and most installations do not need it.
  const { createS3FileStore } = await import('./s3/s3-store.ts');
  const store = await createS3FileStore(s3Settings(config));
  return { store, close: () => store.close() };
}

async function openFolder(folder: string, database: Pick<Database, 'knex'> | null): Promise<FileStore> {
  try {
    if (database) await refuseLostFiles(database.knex, folder);
    return await createFolderFileStore(folder, { isRestored: database === null });
  } catch (cause) {
    const { code, path, message } = cause as NodeJS.ErrnoException;
    if (cause instanceof StoreFolderMissing || (code !== undefined && path !== undefined)) {
      throw new StartError(`the file store ${folder} cannot be used: ${message}`, { cause });
    }
    throw cause;
  }
}

function s3Settings(config: StoreConfig): S3Settings {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if ((accessKeyId === '') !== (secretAccessKey === ''))
    throw new StartError(
      'RUNSHEET_S3_ACCESS_KEY_ID and RUNSHEET_S3_SECRET_ACCESS_KEY belong together: set both, or neither',
    );
  const prefix = config.s3Prefix.replace(/^\/+|\/+$/g, '');
  return {
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    bucket: config.s3Bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    pathStyle: config.s3PathStyle,
    credentials: accessKeyId === '' ? null : { accessKeyId, secretAccessKey },
  };
}
