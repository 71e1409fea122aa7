import { useState } from 'react';
import type { Mark, MarkOption } from '#shared/contract/designs.ts';
import type { InputInfo } from '#shared/contract/parameters.ts';
import { t } from '#renderer/language/translate.ts';
import { OptionSelect, TextOption } from './OptionFields.tsx';
import { RightField } from './RightField.tsx';
import type { VisibleRights } from './right-issue.ts';

interface MoreFieldsProps {
  mark: Mark;
  /** The server's analysis of the mark; undefined until it is known. */
  info: InputInfo | undefined;
  /** Undefined if they are not known. */
  rights: VisibleRights | undefined;
  onChange: (mark: Mark, burst?: string) => void;
}

const OPTIONS: readonly MarkOption[] = ['MaxSize', 'Display', 'SampleFile', 'HasAccess'];

/** Settings that few inputs need. Collapsed unless one of them has a value. */
export function MoreFields({ mark, info, rights, onChange }: MoreFieldsProps) {
  const [isOpen, setOpen] = useState(() => OPTIONS.some((option) => mark.Options[option] !== undefined));
  const has = (option: MarkOption): boolean => mark.Options[option] !== undefined;
  const usages = info?.CellUsages ?? [];
  const isFile = usages.some((usage) => usage === 'FilePath' || usage === 'FileId');
  const isSized = isFile || usages.includes('Text');
  const isList = /^Single(?:Row|Column)/.test(info?.RangeType ?? '');
  const hasColumns = info?.RangeType === 'RangeWithColumnHeaders';
  return (
    <details className="rs-more" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('More settings')}</summary>
      {(isSized || has('MaxSize')) && (
        <TextOption
          mark={mark}
          option="MaxSize"
          label={isFile ? t('Maximum file size, in bytes') : t('Maximum characters')}
          helper={usages.length > 1 ? t('One number for all columns, or one for each, separated by commas.') : ''}
          onChange={onChange}
        />
      )}
      {(isList || has('Display')) && (
        <OptionSelect
          mark={mark}
          option="Display"
          label={t('Show the allowed values as')}
          automatic={null}
          choices={[
            { value: 'Default', label: t('A list to choose from') },
            { value: 'CheckBoxList', label: t('Boxes to tick') },
          ]}
          onChange={onChange}
        />
      )}
      {(hasColumns || isFile || has('SampleFile')) && (
        <TextOption
          mark={mark}
          option="SampleFile"
          label={t('Name of the sample file')}
          helper={t('The name must end in .xlsx or .csv. If you leave it empty, the file is named after the input.')}
          onChange={onChange}
        />
      )}
      <RightField mark={mark} rights={rights} onChange={onChange} />
    </details>
  );
}
