import { Button, InputGroup, PopoverNext, type Intent } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { t } from '#renderer/language/translate.ts';
import { useAwaitedEnter } from '#renderer/ui/use-awaited-enter.ts';
import { onlyMatch } from './only-match.ts';
import { CLEAR_TEXT, groupItems, type PickerSource } from './picker-source.ts';
import { optionKey, PickerList, pickUnlessRefused, type Option } from './PickerList.tsx';
import { usePickerItems, type PickerItems } from './use-picker-items.ts';
import './pickers.css';

export interface PickerInputProps {
  id?: string;
  label?: string;
  value: string;
  source: PickerSource;
  maxLength?: number;
  disabled?: boolean;
  intent?: Intent;
  describedBy?: string;
  invalid?: boolean;
  required?: boolean;
  autoFocus?: boolean;
  /**
   * Opens the list on mount, for a cell in edit: with all values, or searched for the text that was typed over the
   * cell.
   */
  opensWith?: 'all' | 'search';
  onChange: (value: string) => void;
  /** Called when a value was picked from the list. */
  onPick?(value: string): void;
  onBlur?(): void;
  onKeyDown?(event: KeyboardEvent<HTMLInputElement>): void;
}

/**
 * Text field with a list of values that the server searches and pages. Keys follow the ARIA combobox pattern. Enter
 * takes the only remaining search result. A click opens the list.
 */
export function PickerInput(props: PickerInputProps) {
  const { value, disabled } = props;
  const listId = useId();
  const { isOpen, active, options, items, open, close, pick, type, onKeyDown, openByClick } = usePicker(props);
  return (
    <PopoverNext
      isOpen={isOpen}
      arrow={false}
      animation="minimal"
      placement="bottom-start"
      autoFocus={false}
      enforceFocus={false}
      // The field has the focus all the time. A closing list must not take the focus from wherever the user types by
      // then.
      shouldReturnFocusOnClose={false}
      fill
      onInteraction={(next) => !next && close()}
      content={<PickerList id={listId} options={options} active={active} chosen={value} items={items} onPick={pick} />}
    >
      <InputGroup
        id={props.id}
        role="combobox"
        aria-label={props.label}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid}
        aria-required={props.required}
        intent={props.intent}
        disabled={disabled}
        autoFocus={props.autoFocus}
        autoComplete="off"
        maxLength={props.maxLength}
        value={value}
        onValueChange={type}
        onClick={openByClick}
        onBlur={() => {
          close();
          props.onBlur?.();
        }}
        onKeyDown={onKeyDown}
        rightElement={
          <Button
            variant="minimal"
            tabIndex={-1}
            icon={<CaretDown />}
            aria-label={t('Show values')}
            disabled={disabled}
            // Keep the focus in the field, because its keys control the list.
            onMouseDown={(event: MouseEvent) => {
              event.preventDefault();
              if (isOpen) close();
              else open();
            }}
            // Otherwise the popover would also handle the click and close the list that has just opened.
            onClick={(event: MouseEvent) => event.stopPropagation()}
          />
        }
      />
    </PopoverNext>
  );
}

/** State of a picker's list: whether it is open, what it shows, and what keys and clicks do. */
function usePicker(props: PickerInputProps) {
  const { value, source, disabled, opensWith } = props;
  const [isOpen, setOpen] = useState(opensWith !== undefined);
  const [search, setSearch] = useState<string | null>(opensWith === 'search' ? value : null);
  const [chosen, setActive] = useState(-1);
  // The value when the list was opened. Picking another value closes the list.
  const [opened, setOpened] = useState(opensWith === 'all' ? value : '');
  const settled = useSettled(search ?? '');
  const items = usePickerItems(source, { search: settled, value: opened, enabled: isOpen });
  const options = toOptions(source, items, !search);
  const isAnswered = settled === (search ?? '') && !items.isLoading;
  const match = isOpen ? onlyMatch({ text: search || null, isAnswered, source, items, options }) : null;
  const active = match ? 0 : chosen;
  useActiveAmidst(options, setActive);
  const open = (): void => {
    if (disabled || isOpen) return;
    setOpened(value);
    setOpen(true);
  };
  const close = (): void => {
    setOpen(false);
    setSearch(null);
    setActive(-1);
  };
  const pick = (option: Option): void => {
    props.onChange(option.value);
    props.onPick?.(option.value);
    close();
  };
  const awaitedKey = useRef<KeyboardEvent<HTMLInputElement> | null>(null);
  const waitWithEnter = useAwaitedEnter(search, isAnswered, () => {
    if (match) pickUnlessRefused(match, pick);
    else if (awaitedKey.current) props.onKeyDown?.(awaitedKey.current);
  });
  const type = (text: string): void => {
    props.onChange(text);
    setSearch(text);
    setActive(-1);
    open();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (listKey(event, { isOpen, active, options, items, open, close, pick, setActive })) return;
    const isEarly = event.key === 'Enter' && !event.ctrlKey && isOpen && Boolean(search) && !isAnswered;
    if (isEarly && waitWithEnter()) {
      event.preventDefault();
      event.stopPropagation();
      awaitedKey.current = event;
    } else {
      props.onKeyDown?.(event);
    }
  };
  // Selects the text, so that typing replaces it; a second click places the caret.
  const openByClick = (event: MouseEvent<HTMLInputElement>): void => {
    // Otherwise the popover would also handle the click and close the list that has just opened.
    event.stopPropagation();
    if (disabled || isOpen) return;
    const field = event.currentTarget;
    if (field.selectionStart === field.selectionEnd) field.select();
    open();
  };
  return { isOpen, active, options, items, open, close, pick, type, onKeyDown, openByClick };
}

/** Debounces the value by 150 ms, so that not every keystroke makes a call. */
function useSettled(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), 150);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function toOptions(source: PickerSource, { items, isAtStart }: PickerItems, isComplete: boolean): Option[] {
  const options = groupItems(items).flatMap(({ group, items: members }) =>
    members.map((item) => ({
      text: source.show(item.Value),
      value: source.show(item.Value),
      group,
      refusal: source.refusal?.(item.Value) ?? null,
    })),
  );
  const blank = source.blank && isComplete && isAtStart;
  return blank ? [{ text: CLEAR_TEXT, value: '', group: null, refusal: null }, ...options] : options;
}

/** Moves the active index along with its option when options before it appear or disappear. */
function useActiveAmidst(options: readonly Option[], setActive: (move: (active: number) => number) => void): void {
  const first = options.find(({ value }) => value !== '');
  const firstKey = first ? optionKey(first) : '';
  const known = useRef<Map<string, number>>(new Map());
  useLayoutEffect(() => {
    const indexes = new Map(options.map((option, index) => [optionKey(option), index]));
    const [firstRemaining] = [...known.current].filter(([key]) => indexes.has(key));
    if (firstRemaining)
      setActive((active) =>
        active < 0 ? active : Math.max(0, active + indexes.get(firstRemaining[0])! - firstRemaining[1]),
      );
    known.current = indexes;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- options that follow move nothing
  }, [firstKey, options.length]);
}

interface ListState {
  isOpen: boolean;
  active: number;
  options: Option[];
  items: PickerItems;
  open: () => void;
  close: () => void;
  pick: (option: Option) => void;
  setActive: (index: number) => void;
}

/** Handles keys of the list. Returns true if it handled the key. */
function listKey(event: KeyboardEvent, state: ListState): boolean {
  const { isOpen, active, options } = state;
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step !== 0) {
    if (!isOpen) state.open();
    else state.setActive(Math.max(0, Math.min(options.length - 1, active + step)));
    if (active + step >= options.length - 1) state.items.more?.();
    if (isOpen && active + step <= 1) state.items.previous?.();
  } else if (isOpen && event.key === 'Escape') state.close();
  else if (isOpen && event.key === 'Enter' && !event.ctrlKey && options[active])
    pickUnlessRefused(options[active], state.pick);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
