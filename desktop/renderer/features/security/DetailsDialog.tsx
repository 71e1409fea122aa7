import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { t } from '#renderer/language/translate.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import './security.css';

interface DetailsDialogProps<Detail> {
  title: string;
  /** Names and values above the grid: ['User Name', 'ada']. */
  about: readonly (readonly [name: string, value: string])[];
  /** Null closes the dialog. */
  details: readonly Detail[] | null;
  columns: readonly GridColumn<Detail>[];
  onClose: () => void;
}

/** Dialog with all statements that make up one row of the security matrix. */
export function DetailsDialog<Detail>({ title, about, details, columns, onClose }: DetailsDialogProps<Detail>) {
  return (
    <Dialog isOpen={details !== null} title={title} onClose={onClose} icon={null} className="rs-details">
      <DialogBody>
        <dl className="rs-details-about">
          {about.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <DataGrid label={title} rows={details ?? []} columns={columns} empty={t('No records found')} />
      </DialogBody>
      <DialogFooter actions={<Button text={t('Close')} onClick={onClose} />} />
    </Dialog>
  );
}
