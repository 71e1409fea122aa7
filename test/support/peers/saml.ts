/** A SAML2 identity provider based on samlify, with its own sign-in page. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as samlify from 'samlify';
import { makeCertificate, type KeyAndCertificate } from './certificates.ts';
import { listen, type Peer } from './peer.ts';

// Schema validation would need Java. The test covers the portal's own processing of the messages.
samlify.setSchemaValidator({ validate: async () => 'not checked' });

export interface SamlPerson {
  nameId: string;
  firstName: string;
  lastName: string;
  email: string;
}

/** Values of the response template that a test changes. */
export type AnswerChanges = Partial<
  Record<
    | 'Audience'
    | 'Destination'
    | 'Recipient'
    | 'StatusCode'
    | 'InResponseTo'
    | 'Issuer'
    | 'NotOnOrAfter'
    | 'SessionNotOnOrAfter'
    | 'AuthnInstant',
    string
  >
>;

export interface SignedAnswer {
  SAMLResponse: string;
  RelayState: string;
}

export interface SamlPeer extends Peer {
  entityId: string;
  signInUrl: string;
  logoutUrl: string;
  certificate: string;
  /** Registers the portal once its metadata is available. @param metadata XML of the portal */
  know(metadata: string): void;
  /** Returns the provider's response to a redirect request; checks the request's signature. */
  answer(url: string, person: SamlPerson, changes?: AnswerChanges, signer?: KeyAndCertificate): Promise<SignedAnswer>;
  /** Returns the URL that requests a logout from the portal, or from another address. */
  askLogout(person: Pick<SamlPerson, 'nameId'>, sessionIndex?: string, elsewhere?: string): string;
  /** Logout requests received, with checked signatures. */
  logouts: string[];
}

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const SESSION_INDEX = '_session-1';

const TEMPLATE =
  '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="{StatusCode}"/></samlp:Status>' +
  '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{NotOnOrAfter}" Recipient="{Recipient}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{IssueInstant}" NotOnOrAfter="{NotOnOrAfter}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>' +
  `<saml:AuthnStatement AuthnInstant="{AuthnInstant}" SessionIndex="${SESSION_INDEX}" SessionNotOnOrAfter="{SessionNotOnOrAfter}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
  '<saml:AttributeStatement><saml:Attribute Name="uid"><saml:AttributeValue>{NameID}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="givenName"><saml:AttributeValue>{FirstName}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="sn"><saml:AttributeValue>{LastName}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="mail"><saml:AttributeValue>{Email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>';

export const minutesFromNow = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

export async function startSamlPeer(person: SamlPerson): Promise<SamlPeer> {
  const own = await makeCertificate('Test identity provider');
  const logouts: string[] = [];
  let described = '';
  const portalAt = (logout?: string) => {
    if (described === '') throw new Error('the portal has not told of itself');
    const metadata = logout
      ? described.replace(/(SingleLogoutService[^>]* Location=")[^"]+/, `$1${logout}`)
      : described;
    return samlify.ServiceProvider({ metadata, wantLogoutRequestSigned: true });
  };
  const known = () => portalAt();
  const server = createServer((request, response) => void serve(request, response));
  const { port, stop } = await listen(server);
  const base = `http://localhost:${port}`;

  const providerOf = ({ key, certificate }: KeyAndCertificate) =>
    samlify.IdentityProvider({
      entityID: `${base}/idp`,
      privateKey: key,
      signingCert: certificate,
      wantAuthnRequestsSigned: true,
      wantLogoutRequestSigned: true,
      requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      singleSignOnService: [{ Binding: REDIRECT, Location: `${base}/sign-in` }],
      singleLogoutService: [{ Binding: REDIRECT, Location: `${base}/log-out` }],
      loginResponseTemplate: { context: TEMPLATE, attributes: [] },
    });
  const provider = providerOf(own);

  function parse(url: string) {
    const { searchParams, search } = new URL(url, base);
    const query = Object.fromEntries(searchParams);
    // The signed text is the original query without its signature.
    const octetString = search
      .slice(1)
      .split('&')
      .filter((part) => !part.startsWith('Signature='))
      .join('&');
    return { query, octetString };
  }

  async function answer(
    url: string,
    who: SamlPerson,
    changes: AnswerChanges = {},
    signer = own,
  ): Promise<SignedAnswer> {
    const request = parse(url);
    const { extract } = await provider.parseLoginRequest(known(), 'redirect', request);
    const { id } = (extract as { request: { id: string } }).request;
    const Recipient = String(known().entityMeta.getAssertionConsumerService('post'));
    const values = {
      ID: `_${crypto.randomUUID()}`,
      AssertionID: `_${crypto.randomUUID()}`,
      IssueInstant: new Date().toISOString(),
      AuthnInstant: new Date().toISOString(),
      InResponseTo: id,
      Issuer: `${base}/idp`,
      Audience: known().entityMeta.getEntityID(),
      Recipient,
      Destination: Recipient,
      StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      NotOnOrAfter: minutesFromNow(5),
      SessionNotOnOrAfter: minutesFromNow(60),
      NameID: who.nameId,
      FirstName: who.firstName,
      LastName: who.lastName,
      Email: who.email,
      ...changes,
    };
    const customTagReplacement = (template: string) => ({
      id: values.ID,
      context: samlify.SamlLib.replaceTagsByValue(template, values),
    });
    const signing = signer === own ? provider : providerOf(signer);
    const made = await signing.createLoginResponse(known(), { extract }, 'post', {}, { customTagReplacement });
    return { SAMLResponse: made.context, RelayState: request.query['RelayState'] ?? '' };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = request.url ?? '/';
      if (url.startsWith('/sign-in')) await signInPage(url, response);
      else if (url.startsWith('/log-out') && url.includes('SAMLRequest=')) await logOut(url, response);
      else show(response, '<h1>You are logged out of the provider</h1>');
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  /**
   * Every browser belongs to this person. The form is what they would see after the provider has authenticated them.
   */
  async function signInPage(url: string, response: ServerResponse): Promise<void> {
    const { SAMLResponse, RelayState } = await answer(url, person);
    const action = String(known().entityMeta.getAssertionConsumerService('post'));
    show(
      response,
      `<h1>Test identity provider</h1><form method="post" action="${action}"><input type="hidden" name="SAMLResponse" value="${SAMLResponse}"><input type="hidden" name="RelayState" value="${RelayState}"><button>Continue as ${person.nameId}</button></form>`,
    );
  }

  async function logOut(url: string, response: ServerResponse): Promise<void> {
    const { extract } = await provider.parseLogoutRequest(known(), 'redirect', parse(url));
    logouts.push((extract as { nameID: string }).nameID);
    const { context } = provider.createLogoutResponse(known(), { extract }, 'redirect', '');
    response.writeHead(302, { location: context }).end();
  }

  return {
    url: base,
    entityId: `${base}/idp`,
    signInUrl: `${base}/sign-in`,
    logoutUrl: `${base}/log-out`,
    certificate: own.certificate,
    know: (metadata) => void (described = metadata),
    answer,
    askLogout: ({ nameId }, sessionIndex = SESSION_INDEX, elsewhere) =>
      provider.createLogoutRequest(portalAt(elsewhere), 'redirect', { logoutNameID: nameId, sessionIndex }, '').context,
    logouts,
    stop,
  };
}

function show(response: ServerResponse, body: string): void {
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(`<!doctype html><html lang="en"><title>Provider</title>${body}</html>`);
}
