/**
 * AI assistants: their calls by the Model Context Protocol, the OAuth 2.1 by which they get a person's consent, and the
 * activities that editors offer to them. Source: the specification of the protocol (modelcontextprotocol.io), RFC 6749,
 * 7009, 7591, 7636, 8414, 8707, 9207 and 9728.
 */
import { Type, type Static } from 'typebox';
import {
  closed,
  get,
  Id,
  IdParams,
  needsOn,
  nullable,
  post,
  publicAccess,
  signedIn,
  type Endpoint,
} from './endpoint.ts';

/** Path of the server that assistants connect to, below the portal's address. */
export const ASSISTANT_PATH = 'mcp';

/** Path of the page on which a person gives consent. */
export const CONSENT_PATH = 'oauth/authorize';

/**
 * What a person can grant: running every activity that they may run, or only those that editors offer to assistants.
 */
export const ASSISTANT_SCOPES = ['activities', 'offered'] as const;
export const AssistantScope = Type.Enum(ASSISTANT_SCOPES);
export type AssistantScope = (typeof ASSISTANT_SCOPES)[number];

const Uri = Type.String({ minLength: 1, maxLength: 2000 });

/** The parameters with which a client opens the page of consent. RFC 6749, section 4.1.1; RFC 7636; RFC 8707. */
export const ConsentRequest = Type.Object({
  response_type: Type.String({ maxLength: 100 }),
  client_id: Type.String({ maxLength: 100 }),
  redirect_uri: Type.String({ maxLength: 2000 }),
  code_challenge: Type.String({ maxLength: 200 }),
  code_challenge_method: Type.String({ maxLength: 20 }),
  resource: Type.Optional(Uri),
  scope: Type.Optional(Type.String({ maxLength: 500 })),
  state: Type.Optional(Type.String({ maxLength: 4000 })),
});
export type ConsentRequest = Static<typeof ConsentRequest>;

/** What the page of consent shows. */
export const ConsentView = closed({
  /** As the client registered itself; nobody has checked it. */
  ClientName: Type.String(),
  /** Where the answer is sent: the host, or the program on the person's own computer. */
  RedirectHost: Type.String(),
  /** True if the answer goes to a program on the person's own computer. */
  IsLocal: Type.Boolean(),
  UserName: Type.String(),
  UserFullName: Type.String(),
  /** How long the grant is valid. */
  Days: Type.Integer(),
  /** Number of activities that the person may run, and how many of them editors offer to assistants. */
  Activities: Type.Integer(),
  Offered: Type.Integer(),
});
export type ConsentView = Static<typeof ConsentView>;

export const showConsent = post('/api/assistants/consent/show', {
  access: signedIn,
  sessionOnly: true,
  summary: 'What an assistant asks the person for',
  parts: { body: closed({ Request: ConsentRequest }), result: ConsentView },
});

export const answerConsent = post('/api/assistants/consent', {
  access: signedIn,
  sessionOnly: true,
  summary: 'Give an assistant what it asks for, or refuse; null refuses',
  parts: {
    body: closed({ Request: ConsentRequest, Scope: nullable(AssistantScope) }),
    /** Where the browser continues. */
    result: closed({ Address: Type.String() }),
  },
});

/** Whether an activity is offered to assistants. */
export const AssistantOffer = closed({
  IsOffered: Type.Boolean(),
  /** Name of the activity's own tool. */
  ToolName: Type.String(),
  /** False if this portal allows no assistants. */
  IsOn: Type.Boolean(),
});
export type AssistantOffer = Static<typeof AssistantOffer>;

export const assistantOffer = get('/api/assistants/offer/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Whether an activity is offered to assistants',
  parts: { params: IdParams, result: AssistantOffer },
});

export const offerToAssistants = post('/api/assistants/offer', {
  access: needsOn('sk.EditActivity'),
  summary: 'Offer an activity to assistants as a tool, or withdraw it',
  parts: { body: closed({ Id, IsOffered: Type.Boolean() }), result: AssistantOffer },
});

/** JSON-RPC of the protocol; the SDK validates it. */
const Message = Type.Unknown();
/** Other programs may send fields that we do not know. */
const open = { additionalProperties: true };

/**
 * The route itself checks who calls, because a refusal must tell assistants where they get a grant: an API key, or the
 * token of a grant. A session's token is refused.
 */
export const assistantCall = post(`/${ASSISTANT_PATH}`, {
  access: publicAccess,
  summary: 'Calls of assistants by the Model Context Protocol',
  transport: 'file',
  parts: { body: Message },
});

/** Clients of earlier revisions open a stream or end their session with these; both are optional. */
export const assistantStream = get(`/${ASSISTANT_PATH}`, {
  access: publicAccess,
  summary: 'Answers 405: there is no stream besides those of calls',
  transport: 'file',
  parts: {},
});

const Segment = Type.String({ maxLength: 200 });

const metadata = (path: string, summary: string): Endpoint => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const params = closed(Object.fromEntries(names.map((name) => [name, Segment])));
  return get(path, { access: publicAccess, summary, transport: 'form', parts: names.length > 0 ? { params } : {} });
};

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

/** With and without the path of the resource or issuer, as programs look them up. */
export const RESOURCE_METADATA = [RESOURCE, `${RESOURCE}/:path`, `${RESOURCE}/:path/:more`].map((path) =>
  metadata(path, 'Where assistants get a grant for this portal (RFC 9728)'),
);
export const AUTHORIZATION_METADATA = [SERVER, `${SERVER}/:path`, `${SERVER}/:path/:more`].map((path) =>
  metadata(path, 'How assistants get a grant from this portal (RFC 8414)'),
);

export const registerClient = post('/oauth/register', {
  access: publicAccess,
  summary: 'Register the program of an assistant (RFC 7591)',
  transport: 'form',
  parts: {
    body: Type.Object(
      {
        redirect_uris: Type.Array(Uri, { minItems: 1, maxItems: 10 }),
        client_name: Type.Optional(Type.String({ maxLength: 1000 })),
        token_endpoint_auth_method: Type.Optional(Type.String({ maxLength: 100 })),
        grant_types: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
        response_types: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
      },
      open,
    ),
  },
});

const Secret = Type.Optional(Type.String({ maxLength: 500 }));

export const assistantToken = post('/oauth/token', {
  access: publicAccess,
  summary: 'Exchange a code or a refresh token for tokens of a grant',
  transport: 'form',
  parts: {
    body: Type.Object(
      {
        grant_type: Type.String({ maxLength: 100 }),
        client_id: Secret,
        code: Secret,
        code_verifier: Secret,
        redirect_uri: Type.Optional(Uri),
        refresh_token: Secret,
        resource: Type.Optional(Uri),
      },
      open,
    ),
  },
});

export const revokeToken = post('/oauth/revoke', {
  access: publicAccess,
  summary: 'End the grant of a token (RFC 7009)',
  transport: 'form',
  parts: { body: Type.Object({ token: Type.String({ maxLength: 500 }) }, open) },
});
