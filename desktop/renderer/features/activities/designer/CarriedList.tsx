import { Button, Callout, HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import type { CarriedMark } from '#shared/contract/designs.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { showWarning } from '#renderer/ui/toaster.tsx';
import type { Carried } from './carried-marks.ts';
import { blockOfRange } from './grid/blocks.ts';
import { addMark, newMark } from './marks.ts';
import { PlaceText } from './PlaceText.tsx';
import type { Designer } from './use-designer.ts';

interface CarriedListProps {
  designer: Designer;
  carried: readonly Carried[];
  open: readonly Carried[];
  onDrop: (key: string) => void;
}

/** Lists what happened in the new file to the marks of the last version. */
export function CarriedList({ designer, carried, open, onDrop }: CarriedListProps) {
  const inState = (state: CarriedMark['State']): Carried[] => carried.filter(({ State }) => State === state);
  const [same, moved, gone] = [inState('Same'), inState('Moved'), inState('Gone')];
  return (
    <section className="rs-carried" aria-label={t('Marks of the last version')}>
      <h3>{t('Marks of the last version')}</h3>
      {same.length > 0 && (
        <p>
          {t('{count, plural, one {One mark has not moved.} other {# marks have not moved.}}', {
            count: same.length,
          })}
        </p>
      )}
      <CarriedMarks title={t('Moved')} marks={moved} />
      <CarriedMarks title={t('No longer in the workbook')} marks={gone} />
      {open.length > 0 && (
        <Callout compact intent="warning">
          {t('Choose where these marks are now. After that, you can publish the workbook.')}
          {open.map((mark) => (
            <LocationChoice key={mark.key} mark={mark} designer={designer} onDrop={() => onDrop(mark.key)} />
          ))}
        </Callout>
      )}
    </section>
  );
}

const rangeText = ({ Sheet, Range }: { Sheet: string; Range: string }): string => `${Sheet}!${Range}`;

function CarriedMarks({ title, marks }: { title: string; marks: readonly Carried[] }) {
  if (marks.length === 0) return null;
  return (
    <details>
      <summary>
        {title} ({marks.length})
      </summary>
      <ul>
        {marks.map(({ key, Name, From, Places: [location] }) => (
          <li key={key}>
            {location
              ? rich('{name}: from {from} to {place}', {
                  name: <bdi>{Name}</bdi>,
                  from: <bdi dir="ltr">{From}</bdi>,
                  place: <PlaceText sheet={location.Sheet} range={location.Range} />,
                })
              : rich('{name}, previously at {from}', { name: <bdi>{Name}</bdi>, from: <bdi dir="ltr">{From}</bdi> })}
          </li>
        ))}
      </ul>
    </details>
  );
}

const whyText = (why: CarriedMark['Places'][number]['Why']): string =>
  why === 'Table' ? t('same table') : why === 'Label' ? t('same label') : t('same location');

function LocationChoice({ mark, designer, onDrop }: { mark: Carried; designer: Designer; onDrop: () => void }) {
  const [chosen, setChosen] = useState(0);
  const location = mark.Places[chosen];
  const take = (): void => {
    if (!location) return;
    const next = addMark(designer.marks, {
      ...newMark(mark.Role, location.Sheet, blockOfRange(location.Range), mark.Name),
      Options: mark.Options,
    });
    if (typeof next === 'string') showWarning(next);
    else designer.change(next);
  };
  return (
    <div className="rs-place-choice">
      <span>
        <bdi>{mark.Name}</bdi>{' '}
        <bdi dir="ltr" className="rs-muted">
          {mark.From}
        </bdi>
      </span>
      <HTMLSelect
        aria-label={t('Location of {name}', { name: mark.Name })}
        value={chosen}
        options={mark.Places.map((one, value) => ({ value, label: `${rangeText(one)} (${whyText(one.Why)})` }))}
        onChange={(event) => setChosen(Number(event.currentTarget.value))}
      />
      <Button size="small" text={t('Use this location')} disabled={!location} onClick={take} />
      <Button size="small" variant="minimal" text={t('Remove this mark')} onClick={onDrop} />
    </div>
  );
}
