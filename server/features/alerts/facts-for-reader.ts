import type { Holder } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { AlertAudience } from './alert-audience.ts';
import type { AlertFacts, GuardedText } from './alert-facts.ts';
import type { MailFacts } from './alert-messages.ts';

/** Returns what a person may know of a run. A step and its error each require the rights of their own subject. */
export async function factsFor(
  db: Db,
  audience: Pick<AlertAudience, 'mayLearn'>,
  holder: Holder | undefined,
  facts: AlertFacts | null,
): Promise<MailFacts | null> {
  if (facts === null) return null;
  const textFor = async (part: GuardedText | null): Promise<string | null> =>
    part && holder && (await audience.mayLearn(db, holder, part.subject)) ? part.text : null;
  return { ...facts, step: await textFor(facts.step), error: await textFor(facts.error) };
}
