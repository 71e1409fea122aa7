import { useState } from 'react';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { Card } from '#renderer/ui/Page.tsx';
import type { EditorFields } from '../editor-fields.ts';
import { FileChooser } from '../FileChooser.tsx';
import { UploadFindings } from '../UploadFindings.tsx';
import { DropZone } from './DropZone.tsx';
import { FoundInWorkbook } from './FoundInWorkbook.tsx';
import { MarkingHelp } from './MarkingHelp.tsx';
import { useInspection } from './use-inspection.ts';
import './new-activity.css';

type Proposals = InspectedWorkbook['Proposals'];

export interface NewWorkbookProps {
  fields: EditorFields;
  write: (change: Partial<EditorFields>) => void;
  /** What the workbook proposes, and what one before it had proposed. */
  propose: (proposals: Proposals, former: Proposals | null) => void;
  isDisabled: boolean;
  /** The server has told functions to accept, in the form below. */
  isRefused: boolean;
}

/** The file of a new activity, what is found in it, and how a workbook is made ready. */
export function NewWorkbook({ fields, write, propose, isDisabled, isRefused }: NewWorkbookProps) {
  const { look, ...inspection } = useInspection();
  const [former, setFormer] = useState<Proposals | null>(null);
  const choose = async (file: File | null): Promise<void> => {
    write({ file, accepted: [] });
    const found = await look(file, fields.Schema);
    if (!found) return;
    propose(found.Proposals, former);
    setFormer(found.Proposals);
  };
  const { file, accepted, Name, Description } = fields;
  const { Faults = [], Unsupported = [] } = inspection.found ?? {};
  return (
    <Card>
      <div className="rs-new-file">
        <DropZone onChoose={(chosen) => void choose(chosen)} isDisabled={isDisabled}>
          <FileChooser file={file} isDisabled={isDisabled} onChoose={(chosen) => void choose(chosen)} />
        </DropZone>
        <MarkingHelp />
      </div>
      {file && (
        <>
          <FoundInWorkbook {...inspection} name={Name} description={Description} />
          {!isRefused && (
            <UploadFindings
              Faults={Faults}
              Unsupported={Unsupported}
              accepted={accepted}
              onAccept={(names) => write({ accepted: names })}
            />
          )}
        </>
      )}
    </Card>
  );
}
