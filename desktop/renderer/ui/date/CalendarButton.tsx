import { Button, PopoverNext } from '@blueprintjs/core';
import { Calendar } from '@blueprintjs/icons';
import { useEffect, useRef, useState } from 'react';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import './date-field.css';

const DateCalendar = lazyPart(
  async () => (await import('./DateCalendar.tsx')).DateCalendar,
  <div className="rs-calendar-space" />,
);

export interface CalendarButtonProps {
  /** Of the field that takes the focus when a day was picked. */
  fieldId: string;
  /** What it is called for those who hear it. */
  name: string;
  /** The day that is chosen; null for none. */
  serial: number | null;
  /** The first and last day that can be picked; without them a hundred years around the one that is chosen. */
  first?: number | null;
  last?: number | null;
  disabled: boolean;
  onPick: (serial: number | null) => void;
}

/** Opens a calendar to pick a day from. */
export function CalendarButton(props: CalendarButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const calendar = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<{ next: HTMLElement | null } | null>(null);
  const close = (next: HTMLElement | null): void => {
    setOpen(false);
    setClosed({ next });
  };
  // Only now: while it is open it holds the focus.
  useEffect(() => closed?.next?.focus(), [closed]);
  const isInside = (target: EventTarget | null): boolean => calendar.current?.contains(target as Node | null) === true;
  return (
    <PopoverNext
      isOpen={isOpen}
      enforceFocus={isOpen}
      onInteraction={(next, event) => {
        if (next) return setOpen(true);
        // Of its own it says so once more without an event; a click on a day says itself where the focus goes.
        if (!event || (event.type === 'click' && isInside(event.target))) return;
        close(isInside(document.activeElement) ? button.current : null);
      }}
      placement="bottom-end"
      // At once, and not when it has faded out: the person may type elsewhere by then.
      shouldReturnFocusOnClose={false}
      disabled={props.disabled}
      content={
        <div ref={calendar}>
          <DateCalendar
            serial={props.serial}
            first={props.first ?? null}
            last={props.last ?? null}
            onPick={(serial) => {
              props.onPick(serial);
              close(document.getElementById(props.fieldId));
            }}
          />
        </div>
      }
    >
      <Button ref={button} variant="minimal" icon={<Calendar />} disabled={props.disabled} aria-label={props.name} />
    </PopoverNext>
  );
}
