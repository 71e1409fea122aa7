import { Checkbox, HTMLSelect } from '@blueprintjs/core';
import { valueShape } from '#shared/codecs/input-form.ts';
import type { Input, Output } from '#shared/contract/parameters.ts';
import { t } from '#renderer/language/translate.ts';
import type { MappingDraft } from './link-draft.ts';

interface MappingRowProps {
  input: Input;
  sources: readonly Output[];
  draft: MappingDraft;
  onChange: (change: Partial<MappingDraft>) => void;
}

/** Maps an input of the linked activity: whether it takes an output, which one, and what a user may change. */
export function MappingRow({ input, sources, draft, onChange }: MappingRowProps) {
  const { isMapped, source, editable } = draft;
  return (
    <fieldset className="rs-mapping">
      <legend className="rs-visually-hidden">{input.Name}</legend>
      <Checkbox
        label={input.Name}
        checked={isMapped}
        disabled={sources.length === 0}
        onChange={(event) =>
          onChange({ isMapped: event.currentTarget.checked, source: source ?? sources[0]?.Id ?? null })
        }
      />
      {sources.length === 0 && <div className="rs-muted">{t('The activity has no output of this type.')}</div>}
      {isMapped && sources.length > 0 && (
        <HTMLSelect
          aria-label={t('Source of {name}', { name: input.Name })}
          value={source ?? ''}
          onChange={(event) => onChange({ source: Number(event.currentTarget.value) || null })}
        >
          <option value="">{t('No source')}</option>
          {sources.map(({ Id, Name }) => (
            <option key={Id} value={Id}>
              {Name}
            </option>
          ))}
        </HTMLSelect>
      )}
      {isMapped && source !== null && sources.length > 0 && (
        <Editability input={input} editable={editable} onChange={(next) => onChange({ editable: next })} />
      )}
    </fieldset>
  );
}

interface EditabilityProps {
  input: Input;
  editable: readonly boolean[];
  onChange: (editable: boolean[]) => void;
}

function Editability({ input, editable, onChange }: EditabilityProps) {
  const isCell = valueShape(input.Info) === 'cell';
  const count = editable.filter(Boolean).length;
  const setAll = (to: boolean): void => onChange(editable.map(() => to));
  return (
    <div className="rs-mapping-choices">
      <Checkbox
        label={isCell ? t('User can change the value') : t('User can edit values')}
        aria-label={t(isCell ? 'User can change the value of {name}' : 'User can edit values of {name}', {
          name: input.Name,
        })}
        checked={count === editable.length}
        indeterminate={count > 0 && count < editable.length}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      {editable.length > 1 &&
        editable.map((isEditable, at) => (
          <Checkbox
            key={at}
            label={columnName(input, at)}
            aria-label={t('User can edit {columnName} of {name}', {
              columnName: columnName(input, at),
              name: input.Name,
            })}
            checked={isEditable}
            onChange={(event) => onChange(editable.with(at, event.currentTarget.checked))}
          />
        ))}
    </div>
  );
}

function columnName({ Info }: Input, at: number): string {
  const names = Info.RangeType === 'RangeWithRowHeaders' ? Info.RowHeaderValues : Info.ColumnHeaderValues;
  return names[at] || t('Column {at}', { at: at + 1 });
}
