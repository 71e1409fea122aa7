import { Button, ButtonGroup, Callout } from '@blueprintjs/core';
import { Download, LabTest, Redo, Tick, Undo, WarningSign } from '@blueprintjs/icons';
import { downloadDesign } from '#shared/contract/designs.ts';
import { call } from '#renderer/api/client.ts';
import { startDownload } from '#renderer/ui/downloads.ts';
import { said, t } from '#renderer/language/translate.ts';
import type { Designer } from './use-designer.ts';

interface DesignerBarProps {
  designer: Designer;
  onTry: () => void;
  /** Reopens the design as it was saved elsewhere. */
  onReload: () => void;
}

/** Toolbar above the workbook: undo and redo, save state, and actions for the whole design. */
export function DesignerBar({ designer, onTry, onReload }: DesignerBarProps) {
  const { undo, redo, canUndo, canRedo, saveState, failure, retry, design, flush } = designer;
  const download = async (): Promise<string> => {
    await flush();
    return call(downloadDesign, { params: { id: design.Id } });
  };
  return (
    <>
      <div className="rs-designer-bar">
        <strong dir="auto" className="rs-file-name">
          {design.FileName}
        </strong>
        <ButtonGroup>
          <Button
            icon={<Undo />}
            aria-label={t('Undo')}
            title={t('Undo (Ctrl+Z)')}
            disabled={!canUndo}
            onClick={undo}
          />
          <Button
            icon={<Redo />}
            aria-label={t('Redo')}
            title={t('Redo (Ctrl+Y)')}
            disabled={!canRedo}
            onClick={redo}
          />
        </ButtonGroup>
        <Button
          icon={<LabTest />}
          text={t('Try')}
          title={t('Fill in the form and calculate; nothing is stored')}
          onClick={onTry}
        />
        <Button
          variant="minimal"
          icon={<Download />}
          aria-label={t('Download the workbook with its marks')}
          title={t('Download the workbook with its marks')}
          onClick={() => void startDownload(download())}
        />
        <span className="rs-designer-saved" role="status">
          {saveState === 'saved' ? (
            <>
              <Tick title={false} /> {t('Saved')}
            </>
          ) : saveState === 'failed' || saveState === 'conflict' ? (
            <>
              <WarningSign title={false} /> {t('Not saved')}
            </>
          ) : (
            t('Saving')
          )}
        </span>
      </div>
      {saveState === 'failed' && (
        <Callout compact intent="danger">
          {t('The marks could not be saved: {reason}', { reason: said(failure?.message ?? '') })}{' '}
          <Button size="small" text={t('Retry')} onClick={retry} />
        </Callout>
      )}
      {saveState === 'conflict' && (
        <Callout compact intent="warning">
          {t(
            'These marks were changed in another window. The changes that you have made here since then are not saved.',
          )}{' '}
          <Button size="small" text={t('Load the marks from the other window')} onClick={onReload} />
        </Callout>
      )}
    </>
  );
}
