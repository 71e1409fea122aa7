import type { FormCell, FormInput } from '#shared/codecs/input-form.ts';
import type { DraftInput } from '#renderer/features/run-form/draft/form-draft.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import { t } from '#renderer/language/translate.ts';
import { useOutboxForm } from './use-outbox-form.ts';

/** Longer lists of inputs start collapsed. */
const OPEN_INPUTS_MAX = 8;
const SHOWN_CELLS_MAX = 5;

/** The inputs of a waiting start. */
export function OutboxInputs({ id }: { id: string }) {
  const form = useOutboxForm(id);
  if (!form || form.length === 0) return null;
  return (
    <details className="rs-outbox-inputs" open={form.length <= OPEN_INPUTS_MAX}>
      <summary>{t('Inputs')}</summary>
      <dl className="rs-facts">
        {form.map((input) => (
          <div key={input.Name} className="rs-outbox-input">
            <dt>{input.Name}</dt>
            <dd>{textOf(input)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function textOf({ form, Info }: DraftInput): string {
  if (form.files.length > 0) return form.files.map(({ FileName }) => FileName).join(', ');
  if (form.useDefault) return t('Default value');
  return valueText(form.value, (cell) => shownValue(cell, undefined, Info.CellUsages[0])) || '–';
}

function valueText(value: FormInput['value'], shown: (cell: FormCell) => string): string {
  if (!Array.isArray(value)) return shown(value);
  if (Array.isArray(value[0])) return t('{total, plural, one {# row} other {# rows}}', { total: value.length });
  const cells = (value as FormCell[]).map(shown);
  const first = cells.slice(0, SHOWN_CELLS_MAX).join(', ');
  return cells.length > SHOWN_CELLS_MAX ? `${first}, …` : first;
}
