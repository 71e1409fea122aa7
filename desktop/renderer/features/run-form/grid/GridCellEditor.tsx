import { useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { limitText, type CellKind } from '#shared/codecs/cell-text.ts';
import type { CellMove } from './grid-commands.ts';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import { PickerInput } from '#renderer/ui/picker/PickerInput.tsx';

interface GridCellEditorProps {
  label: string;
  initial: string;
  /**
   * True if typing started the edit and replaces the value. The caret then goes to the end instead of selecting
   * everything.
   */
  replaces: boolean;
  kind: CellKind;
  picker: PickerSource | null;
  onFinish: (text: string | null, move: CellMove) => void;
  onBlur: (text: string) => void;
  /** Called when several cells are pasted into this one. */
  onPasteBlock: (event: ClipboardEvent) => void;
}

/** Editor for the text of one cell: Enter moves down, Tab moves right, Escape discards the change. */
export function GridCellEditor(props: GridCellEditorProps) {
  const { label, initial, replaces, kind, picker, onFinish, onBlur, onPasteBlock } = props;
  const [text, setText] = useState(initial);
  const box = useRef<HTMLDivElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    const input = box.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
    input?.focus({ preventScroll: true });
    if (replaces) input?.setSelectionRange(input.value.length, input.value.length);
    else input?.select();
  }, [replaces]);
  const finish = (value: string | null, move: CellMove = { rows: 0, cols: 0 }): void => {
    ended.current = true;
    onFinish(value, move);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? -1 : 1;
    if (event.key === 'Escape') finish(null);
    else if (event.key === 'Tab') finish(text, { rows: 0, cols: step });
    else if (event.key === 'Enter') finish(text, { rows: event.ctrlKey ? 0 : step, cols: 0 });
    else return;
    // Let Ctrl+Enter bubble to the form, which starts with the typed text.
    if (event.key === 'Enter' && event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = (): void => {
    if (!ended.current) onBlur(text);
  };
  const paste = (event: ClipboardEvent): void => {
    if (!/[\t\n]/.test(event.clipboardData.getData('text/plain').trimEnd())) return;
    ended.current = true;
    onPasteBlock(event);
  };
  const change = (value: string): void => setText(limitText(value, kind.usage, kind.maxSize));
  return (
    <div ref={box} className="rs-input-grid-editor" onPaste={paste}>
      {picker ? (
        <PickerInput
          label={label}
          value={text}
          source={picker}
          opensWith={replaces ? 'search' : 'all'}
          onChange={change}
          onPick={(value) => finish(value, { rows: 1, cols: 0, isPicked: true })}
          onBlur={leave}
          onKeyDown={onKeyDown}
        />
      ) : (
        // An input element would drop line breaks from a pasted cell.
        <textarea
          rows={1}
          dir="auto"
          aria-label={label}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change(event.currentTarget.value)}
          onBlur={leave}
          onKeyDown={onKeyDown}
        />
      )}
    </div>
  );
}
