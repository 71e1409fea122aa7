/** Translates messages of the server and of shared rules, such as the reason why a run failed, for German reports. */
import { readFileSync } from 'node:fs';
import { createSaying } from '#shared/messages/translate-message.ts';
import { GERMAN_REPORT } from './german-report.ts';

const catalogue = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../../shared/messages/de/${name}.json`, import.meta.url), 'utf8')) as Record<
    string,
    string
  >;

/** Reads and prepares some 1,500 messages, so that only a report that shows one should call it. */
export const createGermanSaying = (): ((message: string) => string) =>
  createSaying(GERMAN_REPORT, { ...catalogue('more-messages'), ...catalogue('messages') });
