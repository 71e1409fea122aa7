/** Who makes a call. A new object for every request, so that what is loaded for it (rights) is loaded once a request. */
export interface Person {
  readonly UserId: number;
  readonly UserName: string;
  readonly FirstName: string;
  readonly LastName: string;
  readonly Source: 'Local' | 'AD' | 'SSO';
  readonly IsUserAdmin: boolean;
  /** The call comes from outside the trusted networks: only rights that the internet has too count. */
  readonly fromInternet?: boolean;
  /** Nobody who signed in: holds what the internet was granted by name, and only to run. */
  readonly isVisitor?: boolean;
  /** What the API key of the call may be used for, where that is less than its user may. */
  readonly keyScope?: 'Run';
  /** The activities that the API key of the call is for, where those are not all. */
  readonly keyActivities?: readonly number[];
  /** The session the call belongs to; '' where it is made with an API key. */
  readonly SessionId: string;
}

/** What decides which rights somebody holds: of the person of a request, or of any user. */
export type Holder = Pick<
  Person,
  'UserId' | 'IsUserAdmin' | 'fromInternet' | 'isVisitor' | 'keyScope' | 'keyActivities'
>;
