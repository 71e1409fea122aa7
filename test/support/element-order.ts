/** The allowed children of elements, in order; those with a star any number of times, all others at most once. */
export type Sequences = Readonly<Record<string, readonly string[]>>;

/** Returns the first child that is out of its place; empty if there is none, or the element has no sequence. */
export function orderProblems(sequences: Sequences, name: string, children: readonly string[]): string[] {
  const sequence = sequences[name];
  if (!sequence) return [];
  let position = 0;
  for (const child of children) {
    const at = sequence.findIndex((own, index) => index >= position && own.replace('*', '') === child);
    if (at < 0) return [`${child} out of its place in ${name}: ${children.join(', ')}`];
    position = sequence[at]!.endsWith('*') ? at : at + 1;
  }
  return [];
}
