import { Spinner } from '@blueprintjs/core';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { said, t } from '#renderer/language/translate.ts';
import { rowWithId, useSteadyPress } from '#renderer/ui/use-steady-press.ts';
import type { PickerItems } from './use-picker-items.ts';

export interface Option {
  text: string;
  value: string;
  group: string | null;
  /** Why the option cannot be picked; null if it can. */
  refusal: string | null;
}

/** Picks the option unless it is refused. A refused option stays visible with its reason. */
export const pickUnlessRefused = (option: Option, pick: (option: Option) => void): void => {
  if (option.refusal === null) pick(option);
};

export const optionKey = ({ group, value }: Option): string => `${group ?? ''}\n${value}`;

interface PickerListProps {
  id: string;
  options: Option[];
  active: number;
  chosen: string;
  items: PickerItems;
  onPick: (option: Option) => void;
}

/** The list below a picker's field. */
export function PickerList({ id, options, active, chosen, items, onPick }: PickerListProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const remember = useSteadyScroll(box, options, chosen);
  const onScroll = (): void => {
    remember();
    const list = box.current;
    if (list && list.scrollTop + list.clientHeight > list.scrollHeight - 60) items.more?.();
    if (list && list.scrollTop < 60) items.previous?.();
  };
  const press = useSteadyPress(
    (element) => rowWithId(options, (index) => `${id}-${index}`, element),
    (option) => pickUnlessRefused(option, onPick),
  );
  const note = items.error
    ? said(items.error.message)
    : options.length === 0 && !items.isLoading
      ? t('No values')
      : null;
  return (
    <div ref={box} className="rs-picker" onScroll={onScroll} {...press}>
      <div role="listbox" id={id} aria-label={t('Values')}>
        {options.map((option, index) => (
          <OptionRow
            key={optionKey(option)}
            id={`${id}-${index}`}
            option={option}
            heading={option.group !== (options[index - 1]?.group ?? null) ? option.group : null}
            isActive={index === active}
            isChosen={option.value === chosen}
          />
        ))}
      </div>
      {note && <div className="rs-picker-note rs-muted">{note}</div>}
      {items.isLoading && <Spinner size={18} aria-label={t('Loading values')} />}
    </div>
  );
}

/**
 * Scrolls the chosen option into view at first. Afterwards the visible rows stay in place while rows above them appear
 * or disappear.
 */
function useSteadyScroll(
  box: React.RefObject<HTMLDivElement | null>,
  options: readonly Option[],
  chosen: string,
): () => void {
  const seen = useRef<{ row: Element; top: number } | null>(null);
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    const list = box.current;
    if (!list || options.length === 0) return;
    if (!isPlaced.current) {
      isPlaced.current = true;
      const at = options.findIndex(({ value }) => value !== '' && value === chosen);
      if (at >= 0) list.querySelectorAll('[role=option]')[at]?.scrollIntoView({ block: 'center' });
    } else if (seen.current?.row.isConnected) {
      list.scrollBy(0, (seen.current.row as HTMLElement).offsetTop - seen.current.top);
    }
  }, [box, options, chosen]);
  // Remember the topmost visible row for the next change.
  const remember = (): void => {
    const list = box.current;
    const rows = list ? [...list.querySelectorAll<HTMLElement>('[role=option]')] : [];
    const row = rows.find(({ offsetTop }) => offsetTop >= (list?.scrollTop ?? 0));
    seen.current = row ? { row, top: row.offsetTop } : null;
  };
  useEffect(remember);
  return remember;
}

interface OptionRowProps {
  id: string;
  option: Option;
  heading: string | null;
  isActive: boolean;
  isChosen: boolean;
}

function OptionRow({ id, option, heading, isActive, isChosen }: OptionRowProps) {
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
        aria-disabled={option.refusal === null ? undefined : true}
        className={`rs-picker-option${option.refusal === null ? '' : ' is-refused'}${isActive ? ' is-active' : ''}${isChosen ? ' is-chosen' : ''}${isBlank ? ' rs-muted' : ''}`}
      >
        {option.text}
        {option.refusal !== null && <div className="rs-picker-refusal">{option.refusal}</div>}
      </div>
    </>
  );
}
