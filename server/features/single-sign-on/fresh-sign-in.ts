/** Sign-ins for which the provider had to ask the person even if it knew them. They prove who is present now. */
import type { Db } from '#server/db/dialect/types.ts';
import type { Person } from '#server/base/person.ts';
import { ssoRefusal } from './sso-failures.ts';
import type { SsoAnswer, SsoProof } from './sso-provider.ts';
import type { SsoProviders } from './sso-providers.ts';
import { takeTicket, type SsoTicketRow } from './sso-repository.ts';
import { hashToken, randomToken } from './sso-tokens.ts';

/** Maximum difference between a provider's clock and ours, in either direction. */
const SKEW_MS = 60_000;
/** Prefix of the state of such a sign-in. Its response always goes to a separate page. */
const FRESH_STATE = 'fresh.';

export const freshState = (): string => FRESH_STATE + randomToken();

export const isFreshState = (state: string): boolean => state.startsWith(FRESH_STATE);

/**
 * Throws an Error if the provider did not ask the person although it was told to: a provider may admit known people
 * regardless.
 */
export function requireFresh({ signedInTime }: SsoAnswer, { begun }: SsoProof): void {
  if (begun === undefined) return;
  if (signedInTime === null) throw new Error('the provider does not say when the person signed in');
  if (signedInTime > Date.now() + SKEW_MS) throw new Error('the provider says that the person signed in in the future');
  if (signedInTime < Number(begun) - SKEW_MS) throw new Error('the provider did not ask the person again');
}

/**
 * Returns the ticket of a one-time token. Throws an AppError 400 if that browser has no such ticket or it has expired.
 */
export async function takeOtt(db: Db, ott: string, binding: string | null): Promise<SsoTicketRow> {
  const ticket = binding === null ? undefined : await takeTicket(db, hashToken(ott), binding);
  if (!ticket) throw ssoRefusal('expired');
  return ticket;
}

/**
 * Returns what the person proved with a fresh sign-in. Throws an AppError 400 if the sign-in was somebody else's or not
 * fresh.
 */
export async function proveFresh(
  db: Db,
  providers: SsoProviders,
  { UserId }: Person,
  { ott, binding }: { ott: string; binding: string | null },
): Promise<SsoTicketRow> {
  const ticket = await takeOtt(db, ott, binding);
  if (ticket.UserId !== UserId) throw ssoRefusal('other');
  const provider = providers.named(ticket.Provider);
  const { fresh, ...logoutContext } = providers.decrypt(provider, ticket.Encrypted);
  if (fresh !== 'yes') throw ssoRefusal('failed');
  return { ...ticket, Encrypted: providers.encrypt(provider, logoutContext) };
}
