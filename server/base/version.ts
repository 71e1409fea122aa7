import { readFileSync } from 'node:fs';

const packageFile = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The program's version, as used in responses and in the API description. */
export const VERSION = packageFile.version;
