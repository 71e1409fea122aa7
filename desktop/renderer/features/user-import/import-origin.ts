import type { UserAbilities } from '#shared/contract/users.ts';
import { originKey } from '#renderer/features/users/user-form.ts';

/** Returns the fields of a call for the source of new users; none for local users. */
export function originBody(origin: string, sources: UserAbilities['ExternalSources']) {
  const source = sources.find((one) => originKey(one) === origin);
  return source ? { Source: source.Source, SourceName: source.SourceName } : {};
}
