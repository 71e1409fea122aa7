import { useState, type DragEvent, type ReactNode } from 'react';
import { t } from '#renderer/language/translate.ts';
import { showError } from '#renderer/ui/toaster.tsx';

interface DropZoneProps {
  onChoose: (file: File) => void;
  isDisabled: boolean;
  children: ReactNode;
}

/** Drop target for a workbook. The button inside does the same for users who cannot drag. */
export function DropZone({ onChoose, isDisabled, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file, other] = event.dataTransfer.files;
    if (isDisabled || !file) return;
    if (other) showError(t('You can upload only one file'));
    else if (/\.xls[xm]$/i.test(file.name)) onChoose(file);
    else showError(t('Choose an Excel workbook (.xlsx or .xlsm)'));
  };
  return (
    <div
      className={isOver ? 'rs-drop rs-drop-over' : 'rs-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p className="rs-drop-text">{t('Drop a workbook here, or choose one.')}</p>
      {children}
    </div>
  );
}
