/** Creates something from a form, and does not create it twice if a response was lost. */
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/headers.ts';
import { toFailure } from './app-failure.ts';
import { createUniqueId } from './unique-id.ts';

export interface CreateCalls<Content, Made> {
  /** Must send the headers: they contain the key by which the server recognizes a repeated call. */
  create: (content: Content, headers: Readonly<Record<string, string>>) => Promise<Made>;
  /** Changes what was created. */
  change: (made: Made, content: Content) => Promise<Made>;
}

interface Attempt<Content> {
  content: Content;
  headers: Record<string, string>;
  /** True once a response was lost: the server may have created it. */
  isUncertain: boolean;
}

/**
 * Returns a function that creates something from the content of a form. If the response to an earlier attempt was lost,
 * it repeats that attempt first, unchanged, to find out what it created. If the content was edited since, it then
 * changes what was created.
 */
export function createSender<Content, Made>({
  create,
  change,
}: CreateCalls<Content, Made>): (content: Content) => Promise<Made> {
  let open: Attempt<Content> | null = null;
  /** What an earlier attempt created, until the edited content is stored. */
  let made: { of: Made } | null = null;

  async function send(attempt: Attempt<Content>): Promise<Made> {
    open = attempt;
    try {
      const created = await create(attempt.content, attempt.headers);
      open = null;
      return created;
    } catch (error) {
      const { status } = toFailure(error);
      if (isLost(status)) attempt.isUncertain = true;
      else if (!attempt.isUncertain || isDecided(status)) open = null;
      throw error;
    }
  }

  /** Returns null if the earlier attempt created nothing. */
  const findMade = (earlier: Attempt<Content>): Promise<{ of: Made } | null> =>
    send(earlier).then(
      (of) => ({ of }),
      (error: unknown) => {
        if (open !== null) throw error;
        return null;
      },
    );

  return async (content) => {
    if (open !== null && isSame(open.content, content)) return send(open);
    if (open !== null) made = await findMade(open);
    if (made === null) return send({ content, headers: newKey(), isUncertain: false });
    const changed = await change(made.of, content);
    made = null;
    return changed;
  };
}

const newKey = (): Record<string, string> => ({ [IDEMPOTENCY_KEY_HEADER]: createUniqueId() });

/** No response arrived, or the server failed. */
const isLost = (status: number): boolean => status === 0 || status >= 500;

/**
 * Returns whether a refusal of a repeated attempt says that the first one created nothing. Other refusals, such as the
 * end of the session, are decided before the server looks for the first one.
 */
const isDecided = (status: number): boolean => [400, 409, 422].includes(status);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
