import { EyeOff } from '@blueprintjs/icons';
import { useRef, type KeyboardEvent } from 'react';
import type { DesignSheet } from '#shared/contract/designs.ts';
import { t } from '#renderer/language/translate.ts';

interface SheetTabsProps {
  sheets: readonly DesignSheet[];
  shown: number;
  onChoose: (sheet: number) => void;
  /** Returns the number of marks on a sheet. */
  countOf: (name: string) => number;
}

/** Tabs of the workbook's sheets, below the cells as in Excel. */
export function SheetTabs({ sheets, shown, onChoose, countOf }: SheetTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = shown + step;
    if (step === 0 || next < 0 || next >= sheets.length) return;
    event.preventDefault();
    onChoose(next);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div ref={list} className="rs-sheet-tabs" role="tablist" aria-label={t('Sheets')} onKeyDown={onKeyDown}>
      {sheets.map(({ Name, IsHidden }, index) => {
        const count = countOf(Name);
        return (
          <button
            key={Name}
            type="button"
            role="tab"
            className="rs-sheet-tab"
            aria-selected={index === shown}
            tabIndex={index === shown ? 0 : -1}
            title={IsHidden ? t('This sheet is hidden in Excel') : undefined}
            onClick={() => onChoose(index)}
          >
            {IsHidden && <EyeOff size={12} title={t('hidden')} />}
            <span dir="auto">{Name}</span>
            {count > 0 && (
              <span
                className="rs-sheet-count"
                aria-label={t('{count, plural, one {# mark} other {# marks}}', { count })}
              >
                {count}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}
