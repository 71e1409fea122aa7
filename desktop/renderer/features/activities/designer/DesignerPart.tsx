import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { RegionId } from '#shared/contract/auth.ts';
import { t } from '#renderer/language/translate.ts';
import { focusField } from '#renderer/ui/ErrorSummary.tsx';
import { DesignerBar } from './DesignerBar.tsx';
import { blockOfRange } from './grid/blocks.ts';
import { NAME_FIELD } from './MarkDetails.tsx';
import { isRange } from './marks.ts';
import { SheetPart } from './SheetPart.tsx';
import { SidePanel, type PanelPart } from './SidePanel.tsx';
import type { Designer } from './use-designer.ts';
import { useDesignerView } from './use-designer-view.ts';
import './designer.css';

interface DesignerPartProps {
  designer: Designer;
  /** Name and description that the form shows as its heading. */
  name: string;
  description: string;
  /** The region that the author chose; '' for the region of the file. */
  region: RegionId | '';
  onReload: () => void;
  /** Number of times that publishing was refused because of problems. Each increase shows the first problem. */
  refusals: number;
}

/** The workbook with its marks, and the panel that describes them. */
export function DesignerPart({ designer, onReload, refusals, ...form }: DesignerPartProps) {
  const view = useDesignerView(designer);
  const [tab, setTab] = useState<PanelPart>('marks');
  const box = useRef<HTMLElement>(null);
  useProblemsOnRefusal({ designer, goTo: view.goTo, setTab, refusals, box });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const isUndo = event.key.toLowerCase() === 'z' && !event.shiftKey;
    const isRedo = event.key.toLowerCase() === 'y' || (event.key.toLowerCase() === 'z' && event.shiftKey);
    // Text fields handle undo for their text, and the form's grid for its cells.
    const isTyping = (event.target as HTMLElement).closest('input, textarea, select, form') !== null;
    if (!(event.ctrlKey || event.metaKey) || isTyping || !(isUndo || isRedo)) return;
    event.preventDefault();
    if (isUndo) designer.undo();
    else designer.redo();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of everything inside
    <section ref={box} className="rs-designer" aria-label={t('Workbook')} onKeyDown={onKeyDown}>
      <DesignerBar designer={designer} onReload={onReload} onTry={() => setTab('form')} />
      <div className="rs-designer-body">
        <SheetPart
          designer={designer}
          view={view}
          onEdit={() => {
            setTab('marks');
            requestAnimationFrame(() => focusField(NAME_FIELD));
          }}
        />
        <SidePanel designer={designer} view={view} tab={tab} onTab={setTab} {...form} />
      </div>
    </section>
  );
}

interface RefusalOptions {
  designer: Designer;
  goTo: ReturnType<typeof useDesignerView>['goTo'];
  setTab: (tab: PanelPart) => void;
  refusals: number;
  box: RefObject<HTMLElement | null>;
}

/** Shows the first problem after publishing was refused because of it. */
function useProblemsOnRefusal({ designer: { found }, goTo, setTab, refusals, box }: RefusalOptions): void {
  const shown = useRef(0);
  useEffect(() => {
    if (refusals === shown.current) return undefined;
    shown.current = refusals;
    setTab('problems');
    const first = found?.Faults.find(({ Cell }) => isRange(Cell));
    if (first) goTo(first.Sheet, blockOfRange(first.Cell), true);
    // Scroll after the form has shown why publishing was refused.
    const frame = requestAnimationFrame(() => box.current?.scrollIntoView({ block: 'start' }));
    return () => cancelAnimationFrame(frame);
  }, [refusals, found, goTo, setTab, box]);
}
