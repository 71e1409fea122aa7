import { Callout, Checkbox } from '@blueprintjs/core';
import { WarningSign } from '@blueprintjs/icons';
import type { UploadFailure, WorkbookFault } from '#shared/contract/activities.ts';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import { Card } from '#renderer/ui/Page.tsx';

const FAULTS: GridColumn<WorkbookFault>[] = [
  { key: 'Sheet', title: 'Sheet', text: (fault) => fault.Sheet },
  { key: 'Cell', title: 'Cell', text: (fault) => fault.Cell },
  { key: 'Message', title: 'Message', text: (fault) => fault.Message },
  { key: 'Remedy', title: 'Remedy', text: (fault) => fault.Remedy },
];

interface UploadFindingsProps extends Pick<UploadFailure, 'Faults' | 'Unsupported'> {
  accepted: readonly string[];
  onAccept: (names: string[]) => void;
}

/** What keeps an uploaded workbook from being an activity: faults to mend in Excel, and functions one may accept by name. */
export function UploadFindings({ Faults = [], Unsupported = [], accepted, onAccept }: UploadFindingsProps) {
  return (
    <>
      {Faults.length > 0 && (
        <Card title="Faults in the workbook">
          <p className="rs-muted">
            Mend these in Excel, save the workbook and choose it again. Nothing has been stored.
          </p>
          <DataGrid label="Faults in the workbook" rows={Faults} columns={FAULTS} empty="" maxColumnWidth={700} />
        </Card>
      )}
      {Unsupported.length > 0 && (
        <Card title="Functions that cannot be recalculated">
          <Callout intent="warning" icon={<WarningSign />} compact>
            Outputs depend on these functions. Their results would be the values saved in the workbook, or errors.
            Accept those you can live without, then upload again.
          </Callout>
          <div className="rs-accept">
            {Unsupported.map((name) => (
              <Checkbox
                key={name}
                label={name}
                checked={accepted.includes(name)}
                onChange={(event) =>
                  onAccept(
                    event.currentTarget.checked ? [...accepted, name] : accepted.filter((other) => other !== name),
                  )
                }
              />
            ))}
          </div>
        </Card>
      )}
    </>
  );
}
