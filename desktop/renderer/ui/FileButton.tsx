import { Button } from '@blueprintjs/core';
import { useRef, type JSX } from 'react';

interface FileButtonProps {
  icon: JSX.Element;
  text: string;
  /** Label of the hidden file field. */
  label: string;
  /** File extensions offered. */
  accept: string;
  isDisabled: boolean;
  onChoose: (file: File) => void;
}

/** A button that opens a file chooser. */
export function FileButton({ icon, text, label, accept, isDisabled, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={icon} text={text} disabled={isDisabled} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // Clears the field; otherwise the same file could not be chosen again after it was fixed.
          event.currentTarget.value = '';
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
