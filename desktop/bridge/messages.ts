/**
 * The only door between a page and the main process of the desktop client: one map of messages by name, each with the page that may
 * send it and the schemas of what it carries and what it is answered. Main checks all three, whatever the preload script does.
 */
import type { ConnectionState } from './connection.ts';
import { EntryId, OutboxEntry, Queued, QueuedStart } from './outbox.ts';
import { Upload, UploadAnswer, UploadId, type UploadProgress } from './uploads.ts';
import { Type, type Static, type TSchema, type TTuple } from 'typebox';

/** The hosts of `runsheet://`: the portal's pages, and those with which servers are chosen. */
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

/** An account at a server, as the page of servers shows it. */
export const ShownServer = closed({
  Id,
  Address: Type.String(),
  Title: Type.String(),
  /** Who signed in last; null where nobody has. */
  UserName: Type.Union([Type.String(), Type.Null()]),
});
export type ShownServer = Static<typeof ShownServer>;

export const ServerList = closed({
  Servers: Type.Array(ShownServer),
  /** Why sessions are forgotten when the program ends; '' where the keychain keeps them. */
  KeychainProblem: Type.String(),
  /** Why this page is shown though a server was to be opened; '' where it is not. */
  Problem: Type.String(),
});
export type ServerList = Static<typeof ServerList>;

/** What came of looking at an address, or of trying to open a server: a text for the person where it failed. */
export const ServerAnswer = closed({ Id: Type.Union([Id, Type.Null()]), Problem: Type.String() });
export type ServerAnswer = Static<typeof ServerAnswer>;

/** What a search in a page has found: how often, and which of them is marked, from 1. */
export const Found = closed({ Count: Type.Integer(), Active: Type.Integer() });
export type Found = Static<typeof Found>;

export const SignInWaiting = closed({ Address: Type.String(), Title: Type.String() });
export type SignInWaiting = Static<typeof SignInWaiting>;

/** What is known of the server: in the page from its beginning, and told when it changes. */
export interface ConnectionInfo {
  State: ConnectionState;
  /** The server is away, and what was opened before may be read. */
  IsReadable: boolean;
  /** Whether a start can wait on this computer: only a keychain keeps the key that protects it. */
  CanQueue: boolean;
}

/** The name of the element of the page in which it stands, as JSON. */
export const CONNECTION_META = 'runsheet-connection';

/** The same for what whoever signs in is to know of this computer, as text. */
export const NOTICE_META = 'runsheet-notice';

export const MESSAGES = {
  /** Opens an address outside the portal in the system's browser. */
  openExternal: message('app', [WebAddress], Done),
  /** Signs in through the system's browser: the window waits meanwhile, and goes on at the path of the portal. */
  signInElsewhere: message('app', [Type.String({ maxLength: 2000 })], Done),
  /** Brings the code of this address to the program of this computer for which the window asks. */
  handOver: message('app', [Type.String({ pattern: '^http://127\\.0\\.0\\.1:\\d{4,5}/\\?', maxLength: 1000 })], Done),
  /** Fetches a file of the portal, so that it can be dragged out of the window; null where there is none. */
  fetchForDrag: message('app', [Type.String({ maxLength: 300 })], Type.Union([DragId, Type.Null()])),
  /** Sends a form with files to the server; null where no answer came. */
  upload: message('app', [Upload], Type.Union([UploadAnswer, Type.Null()])),
  /** Ends an upload that is under way. */
  cancelUpload: message('app', [UploadId], Done),
  /** Goes on with a drag that the page has begun, out of the window: with a file that was fetched. */
  dragFile: message('app', [DragId], Done),
  /** The language of the page, which menus and messages of the system follow. */
  speak: message('app', [Type.Enum(['en', 'de'] as const)], Done),
  /** Looks for the server now. */
  lookForServer: message('app', [], Done),
  /** The starts that wait for this person on this computer. */
  listOutbox: message('app', [], Type.Array(OutboxEntry)),
  /** Keeps a start until its server is reached. */
  queueStart: message('app', [QueuedStart], Queued),
  /** Starts what waits for the person's decision. */
  startQueued: message('app', [EntryId], Done),
  removeQueued: message('app', [EntryId], Done),
  /** Holds a start back while its form is open; false where it is being sent, or was started, already. */
  editQueued: message('app', [EntryId], Type.Boolean()),
  /** What its form is filled in with; null where it is gone. */
  formOfQueued: message('app', [EntryId], Type.Union([Type.String(), Type.Null()])),
  listServers: message('servers', [], ServerList),
  /** Looks whether a portal answers there, and keeps its address. */
  addServer: message('servers', [Type.String({ maxLength: 2000 })], ServerAnswer),
  openServer: message('servers', [Id], ServerAnswer),
  /** How many starts of the account wait on this computer, and would be deleted with it; null where its keychain does not say. */
  countWaiting: message('servers', [Id], Type.Union([Type.Integer(), Type.Null()])),
  /** Signs out, and deletes what is kept of the account on this computer. */
  removeServer: message('servers', [Id], Done),
  /** Of the sign-in that this window waits for; null where it waits for none. */
  signInWaiting: message('servers', [], Type.Union([SignInWaiting, Type.Null()])),
  openBrowserAgain: message('servers', [], Done),
  cancelSignIn: message('servers', [], Done),
  /** In the page over which the bar lies: goes to the next place of the text, or the one before. An empty text ends the search. */
  findInPage: message('servers', [Type.String({ maxLength: 500 }), Type.Boolean()], Found),
  closeFind: message('servers', [], Done),
} satisfies Record<string, Message>;

export type MessageName = keyof typeof MESSAGES;
type StaticEach<A extends TSchema[]> = { [K in keyof A]: Static<A[K]> };
/** Behind properties for the reason of ValuesOf in shared/contract/endpoint.ts. */
type ValuesOfMessages = {
  [N in MessageName]: (typeof MESSAGES)[N] extends Message<infer A>
    ? { args: StaticEach<A>; answer: Static<(typeof MESSAGES)[N]['result']> }
    : never;
};
export type ArgsOf<N extends MessageName> = ValuesOfMessages[N]['args'];
export type AnswerOf<N extends MessageName> = ValuesOfMessages[N]['answer'];

/** One handler for each message. */
export type Handlers<Caller> = {
  [N in MessageName]: (caller: Caller, ...args: ArgsOf<N>) => Promise<AnswerOf<N>> | AnswerOf<N>;
};

/** A message that the system did not show. */
export interface Notice {
  Title: string;
  Body: string;
  /** Of the page that it is about; null where it is about none. */
  Path: string | null;
}

/** What main tells pages by itself, with what each carries. */
export interface PageEvents {
  notice: Notice;
  connection: ConnectionInfo;
  outbox: OutboxEntry[];
  uploadProgress: UploadProgress;
}

/** The channel of a message, which no page ever names itself. */
export const channelOf = (name: string): string => `runsheet:${name}`;

export const eventChannelOf = (name: keyof PageEvents): string => `runsheet:event:${name}`;

/** What the preload script is told by its window, as an argument of its process: the address of the window's server. */
export const SERVER_ARGUMENT = '--runsheet-server=';

/** What the page of servers reaches of main. */
export interface ServersBridge {
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
