/**
 * Parses a context such as 'PL/pgSQL function sales.close(integer) line 5 at RAISE'. Languages have their own formats;
 * this is the usual one.
 */
export function parseErrorLocation(where: string | undefined): { procedure: string | null; line: number | null } {
  const found =
    /^(?:PL\/pgSQL|SQL|PL\/Python|PL\/Perl)?\s*function (.+?)(?: line (\d+)(?: at .*)?| statement \d+|)$/m.exec(
      where ?? '',
    );
  return { procedure: found?.[1] ?? null, line: found?.[2] === undefined ? null : Number(found[2]) };
}
