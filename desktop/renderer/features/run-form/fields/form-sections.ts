import type { Input } from '#shared/contract/parameters.ts';

export interface FormSection<Of> {
  /** '' for inputs without a section. */
  title: string;
  inputs: Of[];
}

/** Groups inputs by section, in the order in which sections first occur. Inputs without a section come first. */
export function sectionsOf<Of extends Pick<Input, 'Info'>>(inputs: readonly Of[]): FormSection<Of>[] {
  const sections = [...Map.groupBy(inputs, ({ Info }) => Info.Section ?? '')].map(([title, inputs]) => ({
    title,
    inputs,
  }));
  return sections.toSorted((a, b) => Number(a.title !== '') - Number(b.title !== ''));
}
