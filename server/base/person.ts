/**
 * The person who makes a call. Each request gets a new object, so data loaded for it (rights) is loaded once per
 * request.
 */
export interface Person {
  readonly UserId: number;
  readonly UserName: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly Source: 'Local' | 'AD' | 'SSO';
  readonly IsUserAdmin: boolean;
  /**
   * True if the call comes from outside the trusted networks: only rights that are also granted to the internet count.
   */
  readonly fromInternet?: boolean;
  /**
   * True for a visitor who has not signed in: has only the rights granted to the internet by name, and only for
   * running.
   */
  readonly isVisitor?: boolean;
  /** What the call's API key may be used for, if this is less than what its user may do. */
  readonly keyScope?: 'Run';
  /** The activities to which the call's API key is limited; absent for all. */
  readonly keyActivities?: readonly number[];
  /** True if an assistant with the call's API key may change data without asking the person. */
  readonly mayWriteUnasked?: boolean;
  /** The session of the call; '' for a call with an API key. */
  readonly SessionId: string;
}

/** The properties that determine which rights a person has, for the person of a request or for any user. */
export type Holder = Pick<
  Person,
  'UserId' | 'IsUserAdmin' | 'fromInternet' | 'isVisitor' | 'keyScope' | 'keyActivities'
>;
