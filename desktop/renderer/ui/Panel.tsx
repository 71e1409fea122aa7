import { ChevronDown, ChevronRight } from '@blueprintjs/icons';
import { useId, type ReactNode } from 'react';
import { useAddressValues } from './use-address-values.ts';
import { usePrinting } from './use-printing.ts';
import './panel.css';

interface PanelProps {
  title: string;
  /** Parameter name in the address: the panel's state survives a reload and is part of a shared link. */
  name: string;
  isInitiallyOpen: boolean;
  actions?: ReactNode;
  /** Shown beside the title, whether the panel is open or not. */
  summary?: ReactNode;
  /** False to print the panel only if it is open. */
  isAlwaysPrinted?: boolean;
  children: ReactNode;
}

/** A collapsible part of a page. */
export function Panel({
  title,
  name,
  isInitiallyOpen,
  actions,
  summary,
  isAlwaysPrinted = true,
  children,
}: PanelProps) {
  const [query, changeAddress] = useAddressValues();
  const contentId = useId();
  const stated = query.get(name);
  const isPrinting = usePrinting();
  const isChosenOpen = stated === null ? isInitiallyOpen : stated === 'open';
  const isOpen = isChosenOpen || (isPrinting && isAlwaysPrinted);
  const toggle = (): void =>
    changeAddress((present) => {
      if (isOpen !== isInitiallyOpen) present.delete(name);
      else present.set(name, isOpen ? 'closed' : 'open');
      return present;
    });
  return (
    <section className={isOpen ? 'rs-card rs-panel' : 'rs-card rs-panel rs-panel-closed'}>
      <div className="rs-panel-head">
        <h2>
          <button type="button" aria-expanded={isOpen} aria-controls={contentId} onClick={toggle}>
            {isOpen ? <ChevronDown title={false} /> : <ChevronRight title={false} />} {title}
          </button>
        </h2>
        {summary !== undefined && <span className="rs-panel-summary">{summary}</span>}
        {isOpen && actions}
      </div>
      <div id={contentId} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </section>
  );
}
