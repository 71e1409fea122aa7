import { useEffect, useRef } from 'react';
import { t } from '#renderer/language/translate.ts';
import { rowWithId, useSteadyPress } from '#renderer/ui/use-steady-press.ts';
import type { PaletteGroup, PaletteItem } from './palette-items.ts';

interface PaletteListProps {
  id: string;
  groups: readonly PaletteGroup[];
  /** True if all sources were loaded. */
  isComplete: boolean;
  /** Index across all groups; -1 if the list is empty. */
  chosen: number;
  idOf: (index: number) => string;
  onPoint: (index: number) => void;
  onChoose: (item: PaletteItem, runs: boolean) => void;
}

/** The list below the field. It never has the focus: the field refers to the active option. */
export function PaletteList({ id, groups, isComplete, chosen, idOf, onPoint, onChoose }: PaletteListProps) {
  const starts = groups.map((_, at) => groups.slice(0, at).reduce((sum, { items }) => sum + items.length, 0));
  const all = groups.flatMap(({ items }) => items);
  const press = useSteadyPress(
    (element) => rowWithId(all, idOf, element),
    (item, event) => onChoose(item, event.ctrlKey || event.metaKey),
  );
  return (
    <div id={id} className="rs-palette-list" role="listbox" aria-label={t('Matches')} tabIndex={-1} {...press}>
      {groups.length === 0 && isComplete && <p className="rs-palette-none rs-muted">{t('Nothing found')}</p>}
      {groups.map(({ title, items }, at) => (
        <div key={title} role="group" aria-label={title}>
          {groups.length > 1 && (
            <div className="rs-palette-title" aria-hidden="true">
              {title}
            </div>
          )}
          {items.map((item, index) => (
            <Option
              key={item.key}
              id={idOf(starts[at]! + index)}
              item={item}
              isChosen={starts[at]! + index === chosen}
              onPoint={() => onPoint(starts[at]! + index)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  item: PaletteItem;
  isChosen: boolean;
  onPoint: () => void;
}

function Option({ id, item: { text, label, icon }, isChosen, onPoint }: OptionProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={line}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={isChosen ? 'rs-palette-item rs-palette-on' : 'rs-palette-item'}
      onMouseMove={isChosen ? undefined : onPoint}
    >
      {icon}
      <span className="rs-palette-text">{text}</span>
      <span className="rs-palette-label rs-muted">{label}</span>
    </div>
  );
}
