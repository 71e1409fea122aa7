/** Returns 'Run activities (sk.RunActivity)', for measuring, filtering and screen readers. */
export const technicalText = (plain: string, technical: string): string =>
  plain === technical ? plain : `${plain} (${technical})`;

/** A name in plain words, followed by its technical name. */
export function TechnicalName({ plain, technical }: { plain: string; technical: string }) {
  if (plain === technical) return plain;
  return (
    <>
      {plain} <span className="rs-muted">({technical})</span>
    </>
  );
}
