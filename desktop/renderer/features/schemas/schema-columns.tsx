import { Button } from '@blueprintjs/core';
import { ArrowDown, ArrowUp, Edit, Trash } from '@blueprintjs/icons';
import type { ReactElement } from 'react';
import type { ManagedSchema } from '#shared/contract/schemas.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';

interface SchemaActions {
  schemas: readonly ManagedSchema[];
  isBusy: boolean;
  move: (at: number, by: 1 | -1) => void;
  rename: (schema: ManagedSchema) => void;
  remove: (schema: ManagedSchema) => void;
}

const count = (key: 'Activities' | 'Checklists' | 'Grants', title: string): GridColumn<ManagedSchema> => ({
  key,
  title,
  width: 100,
  align: 'right',
  text: (schema) => numberText(schema[key]),
  sortValue: (schema) => schema[key],
});

/** Returns why the schema cannot be deleted; undefined if it can. */
function obstacleOf({ Activities, Checklists, Grants, IsPermanent }: ManagedSchema): string | undefined {
  if (Activities + Checklists > 0) return t('This schema is not empty');
  if (Grants > 0) return t('Some rights are limited to it');
  return IsPermanent ? t('The portal creates it again at each start') : undefined;
}

export function schemaColumns({ schemas, isBusy, move, rename, remove }: SchemaActions): GridColumn<ManagedSchema>[] {
  return [
    { key: 'DisplayName', title: t('Display name'), width: 260, text: ({ DisplayName }) => DisplayName },
    { key: 'Name', title: t('Name'), width: 220, text: ({ Name }) => Name },
    count('Activities', t('Activities')),
    count('Checklists', t('Checklists')),
    count('Grants', t('Rights')),
    {
      key: 'actions',
      title: '',
      width: 150,
      isActions: true,
      text: () => '',
      render: (schema) => {
        const at = schemas.indexOf(schema);
        const name = schema.DisplayName;
        const obstacle = obstacleOf(schema);
        return (
          <>
            <RowButton
              icon={<ArrowUp />}
              name={t('Move {name} up', { name })}
              disabled={isBusy || at === 0}
              onClick={() => move(at, -1)}
            />
            <RowButton
              icon={<ArrowDown />}
              name={t('Move {name} down', { name })}
              disabled={isBusy || at === schemas.length - 1}
              onClick={() => move(at, 1)}
            />
            <RowButton icon={<Edit />} name={t('Rename {name}', { name })} onClick={() => rename(schema)} />
            <RowButton
              icon={<Trash />}
              name={t('Delete {name}', { name })}
              title={obstacle}
              disabled={obstacle !== undefined}
              onClick={() => remove(schema)}
            />
          </>
        );
      },
    },
  ];
}

interface RowButtonProps {
  icon: ReactElement;
  name: string;
  /** Why it is disabled; the name by default. */
  title?: string;
  disabled?: boolean;
  onClick: () => void;
}

function RowButton({ name, title = name, ...button }: RowButtonProps) {
  return <Button size="small" variant="minimal" aria-label={name} title={title} {...button} />;
}
