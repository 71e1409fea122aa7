import { InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <InputGroup
      type="search"
      leftIcon={<Search />}
      aria-label={label}
      placeholder={label}
      maxLength={100}
      value={value}
      onValueChange={onChange}
    />
  );
}
