import { Button } from '@blueprintjs/core';
import { Cross, Document, Upload as UploadIcon } from '@blueprintjs/icons';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { useStore } from 'zustand';
import { valueShape, type FormFile } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { fileSizeText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { Progress } from '#renderer/ui/states.tsx';
import type { RunFormStore } from '#renderer/features/run-form/run-form-store.ts';
import { sendFiles } from './upload-files.ts';

interface FileFieldProps {
  id: string;
  store: RunFormStore;
  input: Input;
  files: readonly FormFile[];
  labelledBy: string;
  describedBy?: string;
  disabled: boolean;
  onChange: (files: FormFile[]) => void;
}

/** Files of an input: chosen or dropped, uploaded immediately, with progress in bytes. */
export function FileField(props: FileFieldProps) {
  const { id, store, input, files, disabled, onChange } = props;
  const isSingle = valueShape(input.Info) === 'cell';
  const upload = useStore(store, (state) => state.uploads[input.Id]);
  const [isOver, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const send = (chosen: FileList | null): void => {
    const list = [...(chosen ?? [])];
    if (list.length === 0 || disabled || upload) return;
    abort.current = new AbortController();
    void sendFiles(store, input, isSingle ? list.slice(0, 1) : list, abort.current.signal);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    send(event.dataTransfer.files);
  };
  return (
    <div
      className={isOver && !disabled ? 'rs-drop-zone is-over' : 'rs-drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {files.length > 0 && <FileList files={files} disabled={disabled} onChange={onChange} />}
      {upload ? (
        <div className="rs-upload">
          <Progress
            label={t('Uploading {fileName}', { fileName: upload.fileName })}
            share={upload.total > 0 ? upload.sent / upload.total : null}
            text={t('{fileName}: {sent} of {total}', {
              fileName: upload.fileName,
              sent: fileSizeText(upload.sent),
              total: fileSizeText(upload.total),
            })}
          />
          <Button size="small" text={t('Cancel')} onClick={() => abort.current?.abort()} />
        </div>
      ) : (
        !disabled && (
          <div className="rs-drop-choose">
            <Button
              id={id}
              icon={<UploadIcon />}
              text={chooseText(isSingle, files.length)}
              aria-labelledby={`${props.labelledBy} ${id}`}
              aria-describedby={props.describedBy}
              onClick={() => chooser.current?.click()}
            />
            <span className="rs-muted">{isSingle ? t('or drop it here') : t('or drop them here')}</span>
          </div>
        )
      )}
      <input
        ref={chooser}
        type="file"
        hidden
        multiple={!isSingle}
        onChange={(event) => {
          send(event.currentTarget.files);
          // Clear the field, so that the user can choose the same file again after changing it.
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

function chooseText(isSingle: boolean, count: number): string {
  if (isSingle) return count > 0 ? t('Change File') : t('Choose File');
  return count > 0 ? t('Add files') : t('Choose files');
}

function FileList({ files, disabled, onChange }: Pick<FileFieldProps, 'files' | 'disabled' | 'onChange'>) {
  return (
    <ul className="rs-file-list">
      {files.map((file) => (
        <li key={file.FileId}>
          <Document size={14} title={false} />
          <span>{file.FileName}</span>
          {!disabled && (
            <Button
              variant="minimal"
              size="small"
              icon={<Cross />}
              aria-label={t('Remove {fileName}', { fileName: file.FileName })}
              onClick={() => onChange(files.filter((other) => other !== file))}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
