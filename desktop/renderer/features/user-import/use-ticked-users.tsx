import { Checkbox } from '@blueprintjs/core';
import { useCallback, useMemo, useState } from 'react';
import type { User } from '#shared/contract/users.ts';
import { t } from '#renderer/language/translate.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { withAll } from './tick-all.ts';

export interface TickedUsers {
  /** Ticked users by id. They stay ticked while a search hides them. */
  ticked: ReadonlyMap<number, User>;
  column: GridColumn<User>;
  /** Ticks or unticks the users of the list. Those whom a search hides stay as they are. */
  setAll: (users: readonly User[], isTicked: boolean) => void;
  clear: () => void;
}

export function useTickedUsers(): TickedUsers {
  const [ticked, setTicked] = useState<ReadonlyMap<number, User>>(new Map());
  const toggle = useCallback(
    (user: User) =>
      setTicked((before) => {
        const next = new Map(before);
        if (!next.delete(user.UserId)) next.set(user.UserId, user);
        return next;
      }),
    [],
  );
  const setAll = useCallback(
    (users: readonly User[], isTicked: boolean) => setTicked((before) => withAll(before, users, isTicked)),
    [],
  );
  const clear = useCallback(() => setTicked(new Map()), []);
  const column = useMemo(() => tickColumn(ticked, toggle), [ticked, toggle]);
  return { ticked, column, setAll, clear };
}

function tickColumn(ticked: ReadonlyMap<number, User>, toggle: (user: User) => void): GridColumn<User> {
  return {
    key: 'ticked',
    title: '',
    width: 44,
    isActions: true,
    text: () => '',
    render: (user) => (
      <Checkbox
        className="rs-tick"
        aria-label={t('Select {name}', { name: user.UserName })}
        checked={ticked.has(user.UserId)}
        onChange={() => toggle(user)}
      />
    ),
  };
}
