/** What the person has chosen of this program, for all accounts, in one small file. */
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Files } from './ports.ts';

/**
 * Of which of their runs the person wants messages of the system: 'problems' of those that did not simply succeed, 'long' also of those that
 * took longer than a minute, 'all' of each.
 */
const RunMessagesWanted = Type.Enum(['all', 'long', 'problems'] as const);
export type RunMessagesWanted = Static<typeof RunMessagesWanted>;

const Preferences = Type.Object(
  {
    runMessages: RunMessagesWanted,
    startAtLogin: Type.Boolean(),
    /** Goes on without a window, and tells of runs then. */
    keepInTray: Type.Boolean(),
    /** Whether spelling is checked; not there where the person has not chosen. */
    spelling: Type.Optional(Type.Boolean()),
    /** What the pages spoke last; without it the language of the system counts. */
    language: Type.Optional(Type.Enum(['en', 'de'] as const)),
  },
  { additionalProperties: false },
);
export type Preferences = Static<typeof Preferences>;

/** As earlier versions wrote them: messages of failed runs only, or of all problems. */
const EarlierPreferences = Type.Object(
  { ...Type.Omit(Preferences, ['runMessages']).properties, failedOnly: Type.Boolean() },
  { additionalProperties: false },
);

const FILE = 'preferences.json';
const DEFAULTS: Preferences = { runMessages: 'long', startAtLogin: false, keepInTray: false };

export interface KeptPreferences {
  get(): Preferences;
  change(changes: Partial<Preferences>): Promise<void>;
}

/** A file that cannot be understood counts as none, and stays until the next change. */
export async function loadPreferences(files: Files): Promise<KeptPreferences> {
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
