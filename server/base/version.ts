import { readFileSync } from 'node:fs';

const packageFile = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The program's version, as answers and the API's description name it. */
export const VERSION = packageFile.version;
