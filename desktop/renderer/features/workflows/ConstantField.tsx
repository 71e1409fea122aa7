import type { ColumnKind } from '#shared/codecs/condition-columns.ts';
import type { ConstantSource } from '#shared/rules/workflows/types.ts';
import { CellField } from '#renderer/ui/CellField.tsx';

interface ConstantFieldProps {
  id: string;
  label: string;
  usage: ColumnKind;
  value: ConstantSource['Value'];
  disabled: boolean;
  onChange: (value: ConstantSource['Value']) => void;
}

/** The field of a constant, by the type of what takes it. */
export function ConstantField({ id, label, usage, value, disabled, onChange }: ConstantFieldProps) {
  return (
    <div className="rs-workflow-own">
      <label className="rs-visually-hidden" htmlFor={id}>
        {label}
      </label>
      <CellField
        field={{ id, intent: 'none' }}
        kind={{ usage, format: usage === 'Date' ? 'yyyy-mm-dd' : 'General', maxSize: null, canAsk: true }}
        value={value}
        picker={null}
        disabled={disabled}
        readOnly={false}
        label={label}
        onChange={onChange}
      />
    </div>
  );
}
