/** What the portal needs of an identity provider, whatever protocol it speaks. */

/** Whom a provider vouches for. Texts that it does not give are ''. */
export interface SsoIdentity {
  /** The name by which users are found again. */
  subject: string;
  /** What to call a new user. */
  UserName: string;
  FirstName: string;
  LastName: string;
  Email: string;
}

/** What is kept of a provider's session, encrypted: for renewal and log-out. */
export interface SsoKeepsake {
  nameId?: string;
  nameIdFormat?: string;
  sessionIndex?: string;
  idToken?: string;
  refreshToken?: string;
  /** The provider asked the person just now; for the minute between its answer and the portal's page. */
  fresh?: 'yes';
}

export interface SsoAnswer {
  identity: SsoIdentity;
  keepsake: SsoKeepsake;
  /** The provider's names of the person and of its session, by which it may end it. */
  sessionSubject: string;
  sessionIndex: string;
  /** Seconds until the provider's session ends. */
  expiresIn: number;
  /** When the person proved to the provider who they are, in milliseconds since 1970; null where it does not say. */
  signedInTime: number | null;
}

/** Known to the server alone between request and answer. */
export type SsoProof = Record<string, string>;

export interface SsoProvider {
  readonly kind: 'saml2' | 'oidc';
  readonly key: string;
  /** '<kind>:<key>'. */
  readonly name: string;
  readonly label: string;
  readonly createUsers: boolean;
  /** Of what is kept of its sessions. */
  readonly encryptionSecret: string;
  /** Where to send the browser. @param base address of the portal, ending with a slash. @param fresh the person is to be asked again. */
  begin(base: string, state: string, fresh: boolean): Promise<{ url: string; proof: SsoProof }>;
  /** What the provider's answer says, once all of it has been checked. Rejects with the reason, which is for the log. */
  finish(base: string, answer: SsoCallback, proof: SsoProof): Promise<SsoAnswer>;
  /** A longer session, where the provider grants one; null where it can grant none without the person; rejects where it refuses. */
  renew(keepsake: SsoKeepsake): Promise<{ keepsake: SsoKeepsake; expiresIn: number } | null>;
  /** Where one logs out of the provider; null where it offers no such thing. */
  logoutUrl(base: string, keepsake: SsoKeepsake): Promise<string | null>;
}

/** What came back through the browser. */
export interface SsoCallback {
  /** The query as it was sent, without '?'. */
  query: string;
  /** SAMLResponse of a form; '' where there is none. */
  form: string;
  /** Takes note of a message's id; false where it was used before. @param seconds until the message has expired anyway. */
  useOnce(id: string, seconds: number): Promise<boolean>;
}
