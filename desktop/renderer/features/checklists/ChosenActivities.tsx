import { Button, Tag } from '@blueprintjs/core';
import { ArrowDown, ArrowUp, Cross, DragHandleVertical } from '@blueprintjs/icons';
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '#renderer/language/translate.ts';
import { ADD_ACTIVITY_FIELD } from './AddActivity.tsx';
import { moved, type DraftActivity } from './checklist-draft.ts';
import { useReorder, type Dragging } from '#renderer/ui/use-reorder.ts';

interface ChosenActivitiesProps {
  activities: readonly DraftActivity[];
  isLocked: boolean;
  onReorder: (activities: readonly DraftActivity[]) => void;
  onRemove: (id: number) => void;
}

type Control = 'handle' | 'up' | 'down' | 'remove';

const controlId = (id: number, control: Control): string => `checklist-activity-${id}-${control}`;

/** The activities of a checklist in run order. They can be moved by buttons, arrow keys, mouse or touch. */
export function ChosenActivities({ activities, isLocked, onReorder, onRemove }: ChosenActivitiesProps) {
  const list = useRef<HTMLOListElement>(null);
  const [said, say] = useState('');
  const focusAfter = useRef<string[]>([]);
  useLayoutEffect(() => {
    // Moving an item removes its button from the page for a moment, which loses the focus. Restore it here.
    const [target] = focusAfter.current.flatMap((id) => {
      const element = document.getElementById(id) as HTMLButtonElement | null;
      return element && !element.disabled ? [element] : [];
    });
    focusAfter.current = [];
    target?.focus();
  });
  const move = (from: number, to: number, control: Control = 'handle'): void => {
    const next = moved(activities, from, to);
    const activity = activities[from];
    if (next === activities || !activity) return;
    focusAfter.current = [controlId(activity.Id, control), controlId(activity.Id, 'handle')];
    say(
      t('{name} is now {indexOf} of {nextCount}', {
        name: activity.Name,
        indexOf: next.indexOf(activity) + 1,
        nextCount: next.length,
      }),
    );
    onReorder(next);
  };
  const remove = (index: number): void => {
    const activity = activities[index]!;
    const next = activities[index + 1] ?? activities[index - 1];
    focusAfter.current = next ? [controlId(next.Id, 'remove')] : [ADD_ACTIVITY_FIELD];
    say(t('{name} removed', { name: activity.Name }));
    onRemove(activity.Id);
  };
  const { dragging, onPointerDown } = useReorder(list, (from, to) => move(from, to));
  return (
    <div className="rs-checklist-list">
      <ol ref={list} className="rs-checklist-activities" aria-label={t('Activities in the order in which they run')}>
        {activities.map((activity, index) => (
          <li key={activity.Id} className={dragClass(dragging, index)}>
            {!isLocked && (
              <Button
                id={controlId(activity.Id, 'handle')}
                className="rs-drag-handle"
                variant="minimal"
                icon={<DragHandleVertical />}
                aria-label={t('Move {name}', { name: activity.Name })}
                title={t('Drag, or press an arrow key')}
                onPointerDown={(event) => onPointerDown(event, index)}
                onKeyDown={(event) => onHandleKey(event, (to) => move(index, to), index, activities.length)}
              />
            )}
            <span className="rs-checklist-place">{index + 1}</span>
            <span className="rs-checklist-activity">
              <strong>{activity.Name}</strong> <span className="rs-muted">{activity.Schema}</span>
            </span>
            {!activity.IsActive && <Tag minimal>{t('Not active')}</Tag>}
            {!isLocked && (
              <MoveButtons
                activity={activity}
                isFirst={index === 0}
                isLast={index === activities.length - 1}
                onMove={(by) => move(index, index + by, by < 0 ? 'up' : 'down')}
                onRemove={() => remove(index)}
              />
            )}
          </li>
        ))}
      </ol>
      <span className="rs-visually-hidden" role="status">
        {said}
      </span>
    </div>
  );
}

interface MoveButtonsProps {
  activity: DraftActivity;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

function MoveButtons({ activity: { Id, Name }, isFirst, isLast, onMove, onRemove }: MoveButtonsProps) {
  return (
    <span className="rs-checklist-buttons">
      <Button
        id={controlId(Id, 'up')}
        variant="minimal"
        icon={<ArrowUp />}
        aria-label={t('Move {name} up', { name: Name })}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <Button
        id={controlId(Id, 'down')}
        variant="minimal"
        icon={<ArrowDown />}
        aria-label={t('Move {name} down', { name: Name })}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
      <Button
        id={controlId(Id, 'remove')}
        variant="minimal"
        icon={<Cross />}
        aria-label={t('Remove {name}', { name: Name })}
        onClick={onRemove}
      />
    </span>
  );
}

function dragClass(dragging: Dragging | null, index: number): string | undefined {
  if (dragging === null) return undefined;
  if (dragging.from === index) return 'is-dragged';
  if (dragging.to !== index) return undefined;
  return dragging.to < dragging.from ? 'is-drop-above' : 'is-drop-below';
}

function onHandleKey(event: KeyboardEvent, move: (to: number) => void, index: number, count: number): void {
  const targets: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 };
  const to = targets[event.key];
  if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  move(to);
}
