import { useState } from 'react';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { Card } from '#renderer/ui/Page.tsx';
import type { RegionId } from '#shared/contract/auth.ts';
import type { WorkbookRegion } from '#shared/contract/workbook-region.ts';
import { regionToChoose } from '#renderer/features/versions/region-text.ts';
import { withFile, type EditorFields } from '../editor-fields.ts';
import { WorkbookRegionField } from '../WorkbookRegionField.tsx';
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
  // Stays while the workbook is read again for another choice, so that the field does not go away.
  const [region, setRegion] = useState<WorkbookRegion | undefined>(undefined);
  const choose = async (file: File | null): Promise<void> => {
    write(withFile(file));
    setRegion(undefined);
    const found = await look(file, fields.Schema);
    if (!found) return;
    setRegion(found.Region);
    propose(found.Proposals, former);
    setFormer(found.Proposals);
  };
  const chooseRegion = async (chosen: RegionId | ''): Promise<void> => {
    write({ region: chosen });
    const found = await look(fields.file, fields.Schema, chosen);
    if (found) setRegion(found.Region);
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
          {region && (
            <WorkbookRegionField
              chosen={fields.region}
              onChoose={(chosen) => void chooseRegion(chosen)}
              helper={regionToChoose(region)}
              isDisabled={isDisabled}
            />
          )}
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
