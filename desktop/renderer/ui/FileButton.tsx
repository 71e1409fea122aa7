import { Button } from '@blueprintjs/core';
import { useRef, type JSX } from 'react';

interface FileButtonProps {
  icon: JSX.Element;
  text: string;
  /** Of the field behind the button. */
  label: string;
  /** Endings of files that are offered. */
  accept: string;
  isDisabled: boolean;
  onChoose: (file: File) => void;
}

/** A button behind which a file is chosen. */
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
          // The same file, mended, can be chosen again only if the field forgets it.
          event.currentTarget.value = '';
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
