import type { Input } from '#shared/contract/parameters.ts';

export interface FormSection<Of> {
  /** '' for inputs of no section. */
  title: string;
  inputs: Of[];
}

/** Inputs of one section stand together, in the order in which the sections begin; those of none come first. */
export function sectionsOf<Of extends Pick<Input, 'Info'>>(inputs: readonly Of[]): FormSection<Of>[] {
  const sections = [...Map.groupBy(inputs, ({ Info }) => Info.Section ?? '')].map(([title, inputs]) => ({
    title,
    inputs,
  }));
  return sections.toSorted((a, b) => Number(a.title !== '') - Number(b.title !== ''));
}
