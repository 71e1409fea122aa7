import { Button, ButtonGroup, Checkbox } from '@blueprintjs/core';
import { Trash } from '@blueprintjs/icons';
import { useState } from 'react';
import type { Mark, MarkRole } from '#shared/contract/designs.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { t } from '#renderer/language/translate.ts';
import type { HeaderSource } from '#shared/rules/parameter-kinds.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { AllowedField } from './AllowedField.tsx';
import { HeadersField } from './HeadersField.tsx';
import { KindFields } from './KindFields.tsx';
import { blockOf, isRemovable, MAX_NAME, tableText, withOption } from './marks.ts';
import { MoreFields } from './MoreFields.tsx';
import { OptionSelect, TextOption } from './OptionFields.tsx';
import { shapesOf, shapeText, specificationChoices, specificationText } from './option-texts.ts';
import type { VisibleRights } from './right-issue.ts';

export interface MarkDetailsProps {
  mark: Mark;
  /** The server's analysis of the mark; undefined until it is known. */
  info: InputInfo | OutputInfo | undefined;
  /** Where the headings of a table come from, if known. */
  headers: HeaderSource | undefined;
  /** Undefined if they are not known. */
  rights: VisibleRights | undefined;
  /** The selected range to which the mark could move; null if there is none. */
  otherRange: string | null;
  onChange: (mark: Mark, burst?: string) => void;
  onRole: (role: MarkRole) => void;
  onMove: () => void;
  onRemove: () => void;
}

export const NAME_FIELD = 'mark-name';

/** Editor for the properties of a mark. */
export function MarkDetails(props: MarkDetailsProps) {
  const { mark, info, headers, rights, otherRange, onChange, onRole, onMove, onRemove } = props;
  const isFixed = !isRemovable(mark);
  return (
    <div className="rs-mark-details">
      <NameField mark={mark} onChange={onChange} />
      {!isFixed && (
        <div className="rs-field">
          <ButtonGroup role="group" aria-label={t('Role')}>
            {(['Input', 'Output'] as const).map((role) => (
              <Button
                key={role}
                size="small"
                text={role === 'Input' ? t('Input') : t('Output')}
                active={role === mark.Role}
                aria-pressed={role === mark.Role}
                onClick={() => onRole(role)}
              />
            ))}
          </ButtonGroup>
        </div>
      )}
      <ShapeField mark={mark} info={info} onChange={onChange} />
      <HeadersField mark={mark} info={info} headers={headers} onChange={onChange} />
      <KindFields mark={mark} info={info} onChange={onChange} />
      {mark.Role === 'Input' ? (
        <InputFields mark={mark} info={info as InputInfo | undefined} rights={rights} onChange={onChange} />
      ) : (
        <OutputFields mark={mark} info={info} onChange={onChange} />
      )}
      <div className="rs-form-actions">
        {otherRange !== null && !isFixed && (
          <Button size="small" text={t('Move to {range}', { range: otherRange })} onClick={onMove} />
        )}
        {!isFixed && <Button size="small" icon={<Trash />} text={t('Remove the mark')} onClick={onRemove} />}
      </div>
    </div>
  );
}

/** Field for the name of a mark. An empty name is not saved while typing, because every mark needs a name. */
function NameField({ mark, onChange }: Pick<MarkDetailsProps, 'mark' | 'onChange'>) {
  const [isEmpty, setEmpty] = useState(false);
  const isFixed = !isRemovable(mark);
  return (
    <TextField
      id={NAME_FIELD}
      label={t('Name')}
      dir="auto"
      required
      readOnly={isFixed}
      value={isEmpty ? '' : mark.Name}
      maxLength={MAX_NAME}
      error={isEmpty ? t('Enter a name') : null}
      helper={isFixed ? tableText(mark.Table!) : undefined}
      onBlur={() => setEmpty(false)}
      onChange={(Name) => {
        setEmpty(Name.trim() === '');
        if (Name.trim() !== '') onChange({ ...mark, Name: Name.slice(0, MAX_NAME) }, 'name');
      }}
    />
  );
}

type PartProps<Info> = Pick<MarkDetailsProps, 'mark' | 'onChange'> & { info: Info | undefined };

function ShapeField({ mark, info, onChange }: PartProps<InputInfo | OutputInfo>) {
  const shapes = shapesOf(blockOf(mark));
  if (shapes.length === 1) return null;
  const own = info && mark.Options.RangeType === undefined ? shapeText(info.RangeType) : null;
  return (
    <OptionSelect
      mark={mark}
      option="RangeType"
      label={t('Shape')}
      automatic={own}
      choices={shapes.map((value) => ({ value, label: shapeText(value) }))}
      // Another shape may have other columns and headings, so clear the options that depend on them.
      onChange={(next) => onChange(withOption(withOption(next, 'CellUsages', ''), 'Headers', ''))}
    />
  );
}

function InputFields({ mark, info, rights, onChange }: PartProps<InputInfo> & Pick<MarkDetailsProps, 'rights'>) {
  const specification = mark.Options.Specification ?? '';
  const isEmptyAllowed = mark.Options.Blanks ?? '';
  return (
    <>
      {!specification.includes(',') && (
        <OptionSelect
          mark={mark}
          option="Specification"
          label={t('On the form')}
          automatic={info?.Specifications[0] && specification === '' ? specificationText(info.Specifications[0]) : null}
          choices={specificationChoices()}
          onChange={onChange}
        />
      )}
      {!isEmptyAllowed.includes(',') && (
        <OptionSelect
          mark={mark}
          option="Blanks"
          label={t('Empty values')}
          automatic={info && isEmptyAllowed === '' ? blanksText(info.Blanks) : null}
          choices={[
            { value: 'TRUE', label: t('May be left empty') },
            { value: 'FALSE', label: t('Must be filled in') },
          ]}
          onChange={onChange}
        />
      )}
      <Checkbox
        label={t('Offer the value of the workbook as the default')}
        checked={
          mark.Options.AllowDefaultValue === undefined
            ? (info?.AllowDefaultValue ?? true)
            : /^true$/i.test(mark.Options.AllowDefaultValue)
        }
        onChange={(event) =>
          onChange(withOption(mark, 'AllowDefaultValue', event.currentTarget.checked ? 'TRUE' : 'FALSE'))
        }
      />
      <AllowedField key={`${mark.Sheet}!${mark.Range}`} mark={mark} onChange={onChange} />
      <TextOption mark={mark} option="Description" label={t('Description')} rows={2} onChange={onChange} />
      <TextOption mark={mark} option="Section" label={t('Section')} onChange={onChange} />
      <MoreFields mark={mark} info={info} rights={rights} onChange={onChange} />
    </>
  );
}

const blanksText = (blanks: readonly boolean[]): string =>
  blanks.every(Boolean)
    ? t('May be left empty')
    : blanks.some(Boolean)
      ? t('Some may be left empty')
      : t('Must be filled in');

function OutputFields({ mark, info, onChange }: PartProps<InputInfo | OutputInfo>) {
  return (
    <>
      <Checkbox
        label={t('Calculate while the form is filled in')}
        checked={/^true$/i.test(mark.Options.CalculateImmediately ?? '')}
        onChange={(event) =>
          onChange(withOption(mark, 'CalculateImmediately', event.currentTarget.checked ? 'TRUE' : ''))
        }
      />
      {info?.RangeType !== 'SingleCell' && (
        <Checkbox
          label={t('Plot its numbers below the results of a run')}
          checked={/^true$/i.test(mark.Options.Plot ?? '')}
          onChange={(event) => onChange(withOption(mark, 'Plot', event.currentTarget.checked ? 'TRUE' : ''))}
        />
      )}
      <TextOption mark={mark} option="Description" label={t('Description')} rows={2} onChange={onChange} />
    </>
  );
}
