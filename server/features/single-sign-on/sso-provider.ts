/** The interface of identity providers, independent of their protocol. */

/** The person that a provider vouches for. Missing texts are ''. */
export interface SsoIdentity {
  /** The stable name by which the user is found again. */
  subject: string;
  /** Name for a new user. */
  UserName: string;
  FirstName: string;
  LastName: string;
  Email: string;
}

export interface SsoClaim {
  Name: string;
  Values: string[];
}

/** Logout context of a provider's session, stored encrypted: data for renewal and log-out. */
export interface SsoLogoutContext {
  nameId?: string;
  nameIdFormat?: string;
  sessionIndex?: string;
  idToken?: string;
  refreshToken?: string;
  /**
   * Set if the provider has just asked the person; only used in the minute between its response and the portal's page.
   */
  fresh?: 'yes';
}

export interface SsoAnswer {
  identity: SsoIdentity;
  /** Everything that the provider says about the person, for administrators who test the sign-in. */
  claims: readonly SsoClaim[];
  logoutContext: SsoLogoutContext;
  /** The provider's names of the person and its session, with which it may end the session. */
  sessionSubject: string;
  sessionIndex: string;
  /** Seconds until the provider's session ends. */
  expiresIn: number;
  /** When the person proved their identity to the provider, in milliseconds since 1970; null if it does not say. */
  signedInTime: number | null;
}

/** Known only to the server, between request and response. */
export type SsoProof = Record<string, string>;

export interface SsoProvider {
  readonly kind: 'saml2' | 'oidc';
  readonly key: string;
  /** '<kind>:<key>'. */
  readonly name: string;
  readonly label: string;
  readonly createUsers: boolean;
  /**
   * Returns the address of the portal that the provider must know: where it sends people back to, or the metadata that
   * says so.
   */
  returnAddress(base: string): string;
  /** Secret for encrypting the logout contexts of its sessions. */
  readonly encryptionSecret: string;
  /**
   * Returns where to send the browser.
   * @param base address of the portal, ending with a slash.
   * @param fresh true if the provider must ask the person again.
   */
  begin(base: string, state: string, fresh: boolean): Promise<{ url: string; proof: SsoProof }>;
  /**
   * Returns the content of the provider's response after checking all of it. Rejects with the reason, which is meant
   * for the log.
   */
  finish(base: string, answer: SsoCallback, proof: SsoProof): Promise<SsoAnswer>;
  /**
   * Extends the session if the provider allows it. Returns null if it cannot without the person; rejects if it refuses.
   */
  renew(logoutContext: SsoLogoutContext): Promise<{ logoutContext: SsoLogoutContext; expiresIn: number } | null>;
  /** Returns where to log out of the provider; null if it has no log-out. */
  logoutUrl(base: string, logoutContext: SsoLogoutContext): Promise<string | null>;
}

/** What came back through the browser. */
export interface SsoCallback {
  /** The query as sent, without '?'. */
  query: string;
  /** SAMLResponse of a form; '' if there is none. */
  form: string;
  /** Records a message's id. Returns false if it was used before. @param seconds until the message expires anyway. */
  useOnce(id: string, seconds: number): Promise<boolean>;
}
