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
  /** Id of the field that takes the focus when a day is picked. */
  fieldId: string;
  /** Accessible name. */
  name: string;
  /** Serial day that is selected; null for none. */
  serial: number | null;
  /** The first and last day that can be picked; by default, a hundred years around the selected day. */
  first?: number | null;
  last?: number | null;
  disabled: boolean;
  onPick: (serial: number | null) => void;
}

/** Opens a calendar for picking a day. */
export function CalendarButton(props: CalendarButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const calendar = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<{ next: HTMLElement | null } | null>(null);
  const close = (next: HTMLElement | null): void => {
    setOpen(false);
    setClosed({ next });
  };
  // Deferred until it is closed, because the open popover enforces its own focus.
  useEffect(() => closed?.next?.focus(), [closed]);
  const isInside = (target: EventTarget | null): boolean => calendar.current?.contains(target as Node | null) === true;
  return (
    <PopoverNext
      isOpen={isOpen}
      enforceFocus={isOpen}
      onInteraction={(next, event) => {
        if (next) return setOpen(true);
        // The popover closes with a second notification that has no event. A click on a day determines the focus
        // itself.
        if (!event || (event.type === 'click' && isInside(event.target))) return;
        close(isInside(document.activeElement) ? button.current : null);
      }}
      placement="bottom-end"
      // The focus is restored immediately instead of after the fade-out, because the user may already be typing
      // elsewhere by then.
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
