/** The accounts at servers that this program knows, in a small file without secrets. */
import { randomBytes } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Files } from './ports.ts';

const Account = Type.Object({
  /** Identifies the account's session partition, its keychain item and its windows. */
  id: Type.String({ pattern: '^[a-f0-9]{16}$' }),
  /** As returned by readServerAddress. */
  address: Type.String({ pattern: '^https?://.*/$' }),
  title: Type.String(),
  userName: Type.Union([Type.String(), Type.Null()]),
});
export type Account = Static<typeof Account>;

const Content = Type.Object({
  version: Type.Literal(1),
  accounts: Type.Array(Account),
  last: Type.Union([Type.String(), Type.Null()]),
});
type Content = Static<typeof Content>;

export const ACCOUNTS_FILE = 'accounts.json';

export interface Accounts {
  list(): Account[];
  find(id: string): Account | null;
  /** The account opened last; null if there is none. */
  last(): Account | null;
  add(address: string, title: string): Promise<Account>;
  change(id: string, changes: Partial<Pick<Account, 'title' | 'userName'>>): Promise<void>;
  opened(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Reads the file. A file that cannot be parsed is treated as empty, and is not overwritten before the next change. */
export async function loadAccounts(files: Files): Promise<Accounts> {
  let content = parse(await files.read(ACCOUNTS_FILE));
  // Writes are serialized, so that each contains all previous changes.
  let writing: Promise<void> = Promise.resolve();
  const store = (next: Content): Promise<void> => {
    content = next;
    const text = JSON.stringify(next, null, 2);
    writing = writing.catch(() => undefined).then(() => files.write(ACCOUNTS_FILE, text));
    return writing;
  };
  const find = (id: string | null): Account | null => accountIn(content, id);
  return {
    list: () => content.accounts,
    find,
    last: () => lastIn(content),
    add: async (address, title) => {
      const account = { id: randomBytes(8).toString('hex'), address, title, userName: null };
      await store({ ...content, accounts: [...content.accounts, account] });
      return account;
    },
    change: (id, changes) =>
      store({
        ...content,
        accounts: content.accounts.map((account) => (account.id === id ? { ...account, ...changes } : account)),
      }),
    opened: (id) => store({ ...content, last: id }),
    remove: (id) => store({ ...content, accounts: content.accounts.filter((account) => account.id !== id) }),
  };
}

const accountIn = ({ accounts }: Content, id: string | null): Account | null =>
  accounts.find((account) => account.id === id) ?? null;

const lastIn = (content: Content): Account | null => accountIn(content, content.last) ?? content.accounts[0] ?? null;

/** Returns the account opened last according to the file's text. */
export const lastAccountIn = (text: string | null): Account | null => lastIn(parse(text));

function parse(text: string | null): Content {
  const empty: Content = { version: 1, accounts: [], last: null };
  if (text === null) return empty;
  try {
    const content: unknown = JSON.parse(text);
    return Value.Check(Content, content) ? content : empty;
  } catch {
    return empty;
  }
}
