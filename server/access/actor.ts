import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';

/** The person who makes a change that the log of security actions records, and the address they call from. */
export interface Actor {
  /** 0 for the program itself. */
  readonly UserId: number;
  readonly UserName: string;
  readonly UserFullName: string;
  readonly IsUserAdmin: boolean;
  /** See Person. */
  readonly fromInternet?: boolean;
  readonly Address: string;
  /** False for a call made with an API key. */
  readonly hasSession: boolean;
}

export function actorOf(person: Person, address: string): Actor {
  const { UserId, UserName, IsUserAdmin, fromInternet = false, SessionId } = person;
  const UserFullName = fullName({ ...person, MiddleName: '' });
  const who = { UserId, UserName, UserFullName, IsUserAdmin, fromInternet };
  return { ...who, Address: address.slice(0, 64), hasSession: SessionId !== '' };
}

/** The actor of changes that the program makes automatically or on the command line. */
export const THE_PROGRAM: Actor = {
  UserId: 0,
  UserName: 'system',
  UserFullName: 'Runsheet',
  IsUserAdmin: true,
  Address: '',
  hasSession: false,
};
