import { useId, useMemo } from 'react';
import { isHiddenInput } from '#renderer/features/run-form/form-inputs.ts';
import { sectionsOf, type FormSection } from './form-sections.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { RunInput } from './RunInput.tsx';
import type { RunFormStore } from '#renderer/features/run-form/run-form-store.ts';

/** The inputs under the section headings of the workbook. Wide screens show two inputs side by side. */
export function FormSections({ store, locked }: { store: RunFormStore; locked: boolean }) {
  const { Inputs } = store.getState().activity;
  const sections = useMemo(() => sectionsOf(Inputs.filter((input) => !isHiddenInput(input))), [Inputs]);
  return sections.map((section) => <Section key={section.title} section={section} store={store} locked={locked} />);
}

interface SectionProps {
  section: FormSection<Input>;
  store: RunFormStore;
  locked: boolean;
}

function Section({ section: { title, inputs }, store, locked }: SectionProps) {
  const id = useId();
  const fields = (
    <div className="rs-run-inputs">
      {inputs.map((input) => (
        <RunInput key={input.Id} store={store} input={input} locked={locked} />
      ))}
    </div>
  );
  if (title === '') return fields;
  return (
    <section className="rs-form-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {fields}
    </section>
  );
}
