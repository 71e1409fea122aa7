import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

export interface PanelTab<Id extends string> {
  id: Id;
  title: string;
  /** Shown beside the title. */
  note?: ReactNode;
}

interface PanelTabsProps<Id extends string> {
  label: string;
  tabs: readonly PanelTab<Id>[];
  chosen: Id;
  onChoose: (id: Id) => void;
  children: ReactNode;
}

/** Tabs of a panel; one tab is shown at a time. */
export function PanelTabs<Id extends string>({ label, tabs, chosen, onChoose, children }: PanelTabsProps<Id>) {
  const own = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = (at + step + tabs.length) % tabs.length;
    event.preventDefault();
    onChoose(tabs[next]!.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <>
      <div ref={list} className="rs-panel-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, title, note }) => (
          <button
            key={id}
            id={`${own}${id}`}
            type="button"
            role="tab"
            className="rs-panel-tab"
            aria-selected={id === chosen}
            aria-controls={`${own}panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {title}
            {note}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${own}panel`} aria-labelledby={`${own}${chosen}`}>
        {children}
      </div>
    </>
  );
}
