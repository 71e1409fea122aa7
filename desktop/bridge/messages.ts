/**
 * All messages between pages and the main process of the desktop client. Each message lists the page that may send it,
 * and the schemas of its arguments and result. The main process checks all three, whatever the preload script does.
 */
import type { ConnectionState } from './connection.ts';
import { EntryId, OutboxEntry, Queued, QueuedStart } from './outbox.ts';
import { Upload, UploadAnswer, UploadId, type UploadProgress } from './uploads.ts';
import { Type, type Static, type TSchema, type TTuple } from 'typebox';

/** The hosts of `runsheet://`: the portal's pages, and the pages for choosing servers. */
export type PageHost = 'app' | 'servers';

export interface Message<A extends TSchema[] = TSchema[], R extends TSchema = TSchema> {
  from: PageHost;
  args: TTuple<A>;
  result: R;
}

const message = <A extends TSchema[], R extends TSchema>(from: PageHost, args: [...A], result: R): Message<A, R> => ({
  from,
  args: Type.Tuple(args) as unknown as TTuple<A>,
  result,
});

const closed = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const WebAddress = Type.String({ pattern: '^https?://', maxLength: 8000 });
const Id = Type.String({ pattern: '^[a-f0-9]{16}$' });
const Done = Type.Null();
const DragId = Type.String({ pattern: '^[a-f0-9]{32}$' });

/** An account at a server, as displayed on the page of servers. */
export const ShownServer = closed({
  Id,
  Address: Type.String(),
  Title: Type.String(),
  /** The user who signed in last; null if nobody has. */
  UserName: Type.Union([Type.String(), Type.Null()]),
});
export type ShownServer = Static<typeof ShownServer>;

export const ServerList = closed({
  Servers: Type.Array(ShownServer),
  /** Why sessions are discarded when the program ends; '' if the keychain stores them. */
  KeychainProblem: Type.String(),
  /** Why this page is shown although a server should have been opened; '' otherwise. */
  Problem: Type.String(),
});
export type ServerList = Static<typeof ServerList>;

/** Result of checking an address or opening a server. Problem is a text for the user if it failed. */
export const ServerAnswer = closed({ Id: Type.Union([Id, Type.Null()]), Problem: Type.String() });
export type ServerAnswer = Static<typeof ServerAnswer>;

/** Result of a search in a page: number of matches, and which one is highlighted, from 1. */
export const Found = closed({ Count: Type.Integer(), Active: Type.Integer() });
export type Found = Static<typeof Found>;

const SignInWaiting = closed({ Address: Type.String(), Title: Type.String() });
type SignInWaiting = Static<typeof SignInWaiting>;

/** State of the connection. It is embedded in the page when it loads, and published on each change. */
export interface ConnectionInfo {
  State: ConnectionState;
  /** True if the server is unreachable and stored data may be read. */
  IsReadable: boolean;
  /** True if starts can wait on this computer: this requires a keychain for their encryption key. */
  CanQueue: boolean;
}

/** Name of the meta element of the page that contains it as JSON. */
export const CONNECTION_META = 'runsheet-connection';

/** Name of the meta element with a notice about this computer for users who sign in, as text. */
export const NOTICE_META = 'runsheet-notice';

export const MESSAGES = {
  /** Opens an address outside the portal in the system browser. */
  openExternal: message('app', [WebAddress], Done),
  /** Signs in through the system browser. The window waits and then continues at the given path of the portal. */
  signInElsewhere: message('app', [Type.String({ maxLength: 2000 })], Done),
  /** Delivers the code in this address to the local program on whose behalf the window asked for it. */
  handOver: message('app', [Type.String({ pattern: '^http://127\\.0\\.0\\.1:\\d{4,5}/\\?', maxLength: 1000 })], Done),
  /** Fetches a file of the portal for dragging it out of the window; null if there is none. */
  fetchForDrag: message('app', [Type.String({ maxLength: 300 })], Type.Union([DragId, Type.Null()])),
  /** Sends a form with files to the server; null if no response arrived. */
  upload: message('app', [Upload], Type.Union([UploadAnswer, Type.Null()])),
  /** Cancels an upload in progress. */
  cancelUpload: message('app', [UploadId], Done),
  /** Continues, outside the window, a drag that the page has started; the file must have been fetched. */
  dragFile: message('app', [DragId], Done),
  /** Language of the page, which menus and system messages use. */
  speak: message('app', [Type.Enum(['en', 'de'] as const)], Done),
  /** Polls the server now. */
  lookForServer: message('app', [], Done),
  /** The starts of this user that wait on this computer. */
  listOutbox: message('app', [], Type.Array(OutboxEntry)),
  /** Stores a start until its server is reachable. */
  queueStart: message('app', [QueuedStart], Queued),
  /** Starts an entry that waits for the user's decision. */
  startQueued: message('app', [EntryId], Done),
  removeQueued: message('app', [EntryId], Done),
  /** Holds a start back while its form is open; false if it is being sent or was already started. */
  editQueued: message('app', [EntryId], Type.Boolean()),
  /** The data to fill in its form; null if the entry no longer exists. */
  formOfQueued: message('app', [EntryId], Type.Union([Type.String(), Type.Null()])),
  listServers: message('servers', [], ServerList),
  /** Checks whether a portal responds at the address, and stores the address. */
  addServer: message('servers', [Type.String({ maxLength: 2000 })], ServerAnswer),
  openServer: message('servers', [Id], ServerAnswer),
  /**
   * Number of the account's starts that wait on this computer and would be deleted with it; null if its keychain does
   * not provide the key.
   */
  countWaiting: message('servers', [Id], Type.Union([Type.Integer(), Type.Null()])),
  /** Signs out and deletes the data stored for the account on this computer. */
  removeServer: message('servers', [Id], Done),
  /** The sign-in that this window waits for; null if there is none. */
  signInWaiting: message('servers', [], Type.Union([SignInWaiting, Type.Null()])),
  openBrowserAgain: message('servers', [], Done),
  cancelSignIn: message('servers', [], Done),
  /**
   * Searches in the page below the search bar: goes to the next or the previous match. An empty text ends the search.
   */
  findInPage: message('servers', [Type.String({ maxLength: 500 }), Type.Boolean()], Found),
  closeFind: message('servers', [], Done),
} satisfies Record<string, Message>;

export type MessageName = keyof typeof MESSAGES;
type StaticEach<A extends TSchema[]> = { [K in keyof A]: Static<A[K]> };
/** Inferred through properties, for the reason given at ValuesOf in shared/contract/endpoint.ts. */
type ValuesOfMessages = {
  [N in MessageName]: (typeof MESSAGES)[N] extends Message<infer A>
    ? { args: StaticEach<A>; answer: Static<(typeof MESSAGES)[N]['result']> }
    : never;
};
export type ArgsOf<N extends MessageName> = ValuesOfMessages[N]['args'];
export type AnswerOf<N extends MessageName> = ValuesOfMessages[N]['answer'];

/** One handler per message. */
export type Handlers<Caller> = {
  [N in MessageName]: (caller: Caller, ...args: ArgsOf<N>) => Promise<AnswerOf<N>> | AnswerOf<N>;
};

/** A notification that the system did not show. */
export interface Notice {
  Title: string;
  Body: string;
  /** Path of the page that it refers to; null if there is none. */
  Path: string | null;
}

/** Events that the main process sends to pages, with their content. */
export interface PageEvents {
  notice: Notice;
  connection: ConnectionInfo;
  outbox: OutboxEntry[];
  uploadProgress: UploadProgress;
}

/** The IPC channel of a message. Pages never name channels. */
export const channelOf = (name: string): string => `runsheet:${name}`;

export const eventChannelOf = (name: keyof PageEvents): string => `runsheet:event:${name}`;

/** Process argument that passes the address of the window's server to the preload script. */
export const SERVER_ARGUMENT = '--runsheet-server=';
/** The argument that passes the language of the menus to the pages of servers. */
export const LANGUAGE_ARGUMENT = '--runsheet-language=';

/** The functions of the main process that the page of servers can call. */
export interface ServersBridge {
  /** The language of the menus when the window was opened. */
  language: 'en' | 'de';
  listServers(): Promise<ServerList>;
  addServer(address: string): Promise<ServerAnswer>;
  openServer(id: string): Promise<ServerAnswer>;
  countWaiting(id: string): Promise<number | null>;
  removeServer(id: string): Promise<null>;
  signInWaiting(): Promise<SignInWaiting | null>;
  openBrowserAgain(): Promise<null>;
  cancelSignIn(): Promise<null>;
  findInPage(text: string, isForward: boolean): Promise<Found>;
  closeFind(): Promise<null>;
}
