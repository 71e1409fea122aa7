import { Button, InputGroup, PopoverNext, Spinner, type Intent } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { CLEAR_TEXT, groupItems, type PickerSource } from './picker-source.ts';
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
  onChange: (value: string) => void;
  /** A value was picked from the list. */
  onPick?(value: string): void;
  onBlur?(): void;
  onKeyDown?(event: KeyboardEvent<HTMLInputElement>): void;
}

interface Option {
  text: string;
  value: string;
  group: string | null;
}

/** A text with a list of values to pick from, searched and paged by the server. Keys as in the ARIA combobox pattern. */
export function PickerInput(props: PickerInputProps) {
  const { value, source, disabled } = props;
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const items = usePickerItems(source, useSettled(search ?? ''), isOpen);
  const options = toOptions(items.items, source.blank && !search);
  const open = (): void => {
    if (!disabled) setOpen(true);
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
  const type = (text: string): void => {
    props.onChange(text);
    setSearch(text);
    setActive(-1);
    open();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (listKey(event, { isOpen, active, options, items, open, close, pick, setActive })) return;
    props.onKeyDown?.(event);
  };
  return (
    <PopoverNext
      isOpen={isOpen}
      arrow={false}
      animation="minimal"
      placement="bottom-start"
      autoFocus={false}
      enforceFocus={false}
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
            aria-label="Show values"
            disabled={disabled}
            // The field keeps the focus: its keys work the list.
            onMouseDown={(event: React.MouseEvent) => {
              event.preventDefault();
              if (isOpen) close();
              else open();
            }}
          />
        }
      />
    </PopoverNext>
  );
}

interface Items {
  items: { Value: string; Group?: string }[];
  isLoading: boolean;
  error: Error | null;
  more: (() => void) | null;
}

function usePickerItems(source: PickerSource, search: string, enabled: boolean): Items {
  const query = useInfiniteQuery({
    queryKey: ['picker', ...source.key, search],
    enabled,
    staleTime: 60_000,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      source.load({ Value: search, ...(pageParam === null ? {} : { Last: pageParam, FetchNext: true }) }),
    getNextPageParam: (page) => (page.HasMore ? (page.Items.at(-1)?.Value ?? null) : null),
  });
  return {
    items: query.data?.pages.flatMap((page) => page.Items) ?? [],
    isLoading: query.isFetching,
    error: query.error,
    more: query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : null,
  };
}

/** The value once it has stood for a moment: no call for each letter. */
function useSettled(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), 150);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function toOptions(items: Items['items'], blank: boolean): Option[] {
  const options = groupItems(items).flatMap(({ group, items: members }) =>
    members.map((item) => ({ text: item.Value, value: item.Value, group })),
  );
  return blank ? [{ text: CLEAR_TEXT, value: '', group: null }, ...options] : options;
}

interface ListState {
  isOpen: boolean;
  active: number;
  options: Option[];
  items: Items;
  open: () => void;
  close: () => void;
  pick: (option: Option) => void;
  setActive: (index: number) => void;
}

/** True where the key was meant for the list. */
function listKey(event: KeyboardEvent, state: ListState): boolean {
  const { isOpen, active, options } = state;
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step !== 0) {
    if (!isOpen) state.open();
    else state.setActive(Math.max(0, Math.min(options.length - 1, active + step)));
    if (active + step >= options.length - 1) state.items.more?.();
  } else if (isOpen && event.key === 'Escape') state.close();
  else if (isOpen && event.key === 'Enter' && !event.ctrlKey && options[active]) state.pick(options[active]);
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

interface PickerListProps {
  id: string;
  options: Option[];
  active: number;
  chosen: string;
  items: Items;
  onPick: (option: Option) => void;
}

function PickerList({ id, options, active, chosen, items, onPick }: PickerListProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const onScroll = (): void => {
    const list = box.current;
    if (list && list.scrollTop + list.clientHeight > list.scrollHeight - 60) items.more?.();
  };
  const note = items.error ? items.error.message : options.length === 0 && !items.isLoading ? 'No values' : null;
  return (
    <div ref={box} className="rs-picker" onScroll={onScroll} onMouseDown={(event) => event.preventDefault()}>
      <div role="listbox" id={id} aria-label="Values">
        {options.map((option, index) => (
          <OptionRow
            key={`${index}:${option.value}`}
            id={`${id}-${index}`}
            option={option}
            heading={option.group !== (options[index - 1]?.group ?? null) ? option.group : null}
            isActive={index === active}
            isChosen={option.value === chosen}
            onPick={onPick}
          />
        ))}
      </div>
      {note && <div className="rs-picker-note rs-muted">{note}</div>}
      {items.isLoading && <Spinner size={18} aria-label="Loading values" />}
    </div>
  );
}

interface OptionRowProps {
  id: string;
  option: Option;
  heading: string | null;
  isActive: boolean;
  isChosen: boolean;
  onPick: (option: Option) => void;
}

function OptionRow({ id, option, heading, isActive, isChosen, onPick }: OptionRowProps) {
  const isBlank = option.value === '';
  return (
    <>
      {heading !== null && (
        <div role="presentation" className="rs-picker-group">
          {heading}
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={isChosen}
        className={`rs-picker-option${isActive ? ' is-active' : ''}${isChosen ? ' is-chosen' : ''}${isBlank ? ' rs-muted' : ''}`}
        onClick={() => onPick(option)}
      >
        {option.text}
      </div>
    </>
  );
}
