/** The user's preferences for this program, for all accounts, in a small file. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Files } from './ports.ts';

/**
 * For which of their runs the user wants system notifications. 'problems': runs that did not succeed without warnings.
 * 'long': also runs longer than a minute. 'all': every run.
 */
const RunMessagesWanted = Type.Enum(['all', 'long', 'problems'] as const);
export type RunMessagesWanted = Static<typeof RunMessagesWanted>;

const Preferences = Type.Object(
  {
    runMessages: RunMessagesWanted,
    startAtLogin: Type.Boolean(),
    /** True to keep running without a window and notify about runs. */
    keepInTray: Type.Boolean(),
    /** True to check spelling; absent if the user has not chosen. */
    spelling: Type.Optional(Type.Boolean()),
    /** Language used last by pages; if absent, the system's language is used. */
    language: Type.Optional(Type.Enum(['en', 'de'] as const)),
  },
  { additionalProperties: false },
);
export type Preferences = Static<typeof Preferences>;

/** Format of earlier versions, which offered only notifications for failed runs or for all problems. */
const EarlierPreferences = Type.Object(
  { ...Type.Omit(Preferences, ['runMessages']).properties, failedOnly: Type.Boolean() },
  { additionalProperties: false },
);

const FILE = 'preferences.json';
const DEFAULTS: Preferences = { runMessages: 'long', startAtLogin: false, keepInTray: false };

export interface StoredPreferences {
  get(): Preferences;
  change(changes: Partial<Preferences>): Promise<void>;
}

/** A file that cannot be parsed is ignored, and is not overwritten before the next change. */
export async function loadPreferences(files: Files): Promise<StoredPreferences> {
  let current = parse(await files.read(FILE));
  let writing: Promise<void> = Promise.resolve();
  return {
    get: () => current,
    change: (changes) => {
      current = { ...current, ...changes };
      const text = JSON.stringify(current);
      writing = writing.catch(() => undefined).then(() => files.write(FILE, text));
      return writing;
    },
  };
}

function parse(text: string | null): Preferences {
  try {
    const content: unknown = JSON.parse(text ?? 'null');
    if (!Value.Check(EarlierPreferences, content)) return Value.Check(Preferences, content) ? content : DEFAULTS;
    const { failedOnly, ...others } = content;
    return { ...others, runMessages: failedOnly ? 'problems' : DEFAULTS.runMessages };
  } catch {
    return DEFAULTS;
  }
}
