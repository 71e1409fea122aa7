/** Saves content that other windows and people may save too, and tells their saves from those whose response was lost. */
import { AppFailure } from './app-failure.ts';

export interface RevisionCalls<Content, Saved> {
  /** Rejects with an AppFailure 409 if another revision is stored. */
  save: (revision: number, content: Content) => Promise<Saved>;
  read: () => Promise<{ revision: number; content: Content }>;
  /**
   * Returns the result of the save that stored a revision. It is called if the content is stored already, so that it is
   * not stored twice. If it is absent, the content is sent again.
   */
  resultOf?: (revision: number) => Saved;
}

/**
 * Returns a function that saves content. It ignores a revision conflict if this window has sent the stored content:
 * either the response to that save was lost, or somebody else has saved the same content again.
 * @param opened the content on which all edits are based; null if an edit may be based on an older one
 */
export function createRevisionSender<Content, Saved>(
  opened: Content | null,
  { save, read, resultOf }: RevisionCalls<Content, Saved>,
): (revision: number, content: Content) => Promise<Saved> {
  /** The content saved last, and those sent since without a response: the server may have stored any of them. */
  const own = new Set(opened === null ? [] : [canonicalText(opened)]);
  const send = async (revision: number, content: Content): Promise<Saved> => {
    try {
      return await save(revision, content);
    } catch (error) {
      if (!isConflict(error)) own.add(canonicalText(content));
      throw error;
    }
  };
  const sendAgain = async (conflict: unknown, content: Content): Promise<Saved> => {
    const stored = await read();
    const text = canonicalText(stored.content);
    if (!own.has(text)) throw conflict;
    if (resultOf && text === canonicalText(content)) return resultOf(stored.revision);
    return send(stored.revision, content);
  };
  return async (revision, content) => {
    const saved = await send(revision, content).catch((error: unknown) => {
      if (!isConflict(error)) throw error;
      return sendAgain(error, content);
    });
    own.clear();
    own.add(canonicalText(content));
    return saved;
  };
}

const isConflict = (error: unknown): boolean => error instanceof AppFailure && error.status === 409;

/** Equal content gives equal texts. The server returns properties in another order than the one in which it got them. */
const canonicalText = (content: unknown): string =>
  JSON.stringify(content, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
