import type { Person } from '#server/base/person.ts';

/** Who makes a call of an assistant, and what the grant or key allows beyond the person's rights. */
export interface Caller {
  /** With the limits of the grant or key. */
  person: Person;
  /** Name that the person saw when they gave the grant; null for a call with an API key. */
  grantedTo: string | null;
  /** True if the key allows changes without asking the person each time. */
  mayWriteUnasked: boolean;
  /** IP address of the assistant. */
  address: string;
}
