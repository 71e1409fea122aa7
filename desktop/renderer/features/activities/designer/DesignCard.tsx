import { Button } from '@blueprintjs/core';
import { Edit } from '@blueprintjs/icons';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { deleteDesign, design as designCall, designs, type Design } from '#shared/contract/designs.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';
import { Card } from '#renderer/ui/Page.tsx';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { regionToChoose } from '#renderer/features/versions/region-text.ts';
import { WorkbookRegionField } from '../editor/WorkbookRegionField.tsx';
import type { EditorFields } from '../editor/editor-fields.ts';
import { WorkbookInspection } from '../new/WorkbookInspection.tsx';
import { useInspection } from '../new/use-inspection.ts';
import { UploadFindings } from '../upload/UploadFindings.tsx';
import { carriedOf, undecided } from './carried-marks.ts';
import { CarriedList } from './CarriedList.tsx';
import { DesignerPart } from './DesignerPart.tsx';
import type { DesignStatus } from './design-status.ts';
import { waitForPendingSave } from './pending-saves.ts';
import { changeMark, keyOfMark } from './marks.ts';
import { useDesigner, type Designer } from './use-designer.ts';
import '../new/new-activity.css';

type Proposals = InspectedWorkbook['Proposals'];

export interface DesignCardProps {
  id: number;
  /** The file that was opened on this page; null if the design existed before. */
  file: File | null;
  fields: EditorFields;
  write: (change: Partial<EditorFields>) => void;
  propose: (proposals: Proposals) => void;
  onStatus: (status: DesignStatus | null) => void;
  /** True if the form below lists functions that the server refused and the author may accept. */
  isRefused: boolean;
  /** Number of times that publishing was refused because of problems. */
  refusals: number;
  /** True if the version in use was opened for editing. */
  startsEditing: boolean;
  /** Called to choose another file or none; the design stays on the server. */
  onLeave: () => void;
  /** Called when the design was deleted. */
  onDeleted: () => void;
}

/** Card with the design on the page of an activity. */
export function DesignCard(props: DesignCardProps) {
  const { id, onLeave } = props;
  const query = useQuery({
    queryKey: [...keyOf(designCall), id],
    queryFn: async ({ signal }) => {
      await waitForPendingSave(id);
      return call(designCall, { params: { id }, signal });
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Card>
      {query.data ? (
        <OpenDesign key={query.dataUpdatedAt} {...props} design={query.data} onReload={() => void query.refetch()} />
      ) : query.error ? (
        <>
          <FailureState error={query.error} onRetry={() => void query.refetch()} />
          <div className="rs-form-actions">
            <Button text={t('Choose another file')} onClick={onLeave} />
          </div>
        </>
      ) : (
        <Skeleton kind="grid" />
      )}
    </Card>
  );
}

interface OpenDesignProps extends DesignCardProps {
  design: Design;
  onReload: () => void;
}

function OpenDesign(props: OpenDesignProps) {
  const { design, file, fields, write, propose, isRefused, refusals, onReload, onLeave, onDeleted } = props;
  const designer = useDesigner(design);
  const { inspect, ...inspection } = useInspection();
  const hadMarks = design.Marks.length > 0 && design.Carried === null;
  // A design with changes opens in the editor, as does a file without marks. A file that came with marks opens as a
  // summary.
  const [isEditing, setEditing] = useState(!hadMarks || design.Revision > 0 || props.startsEditing);
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set());
  const carried = useMemo(() => carriedOf(design), [design]);
  const open = undecided(carried, designer.marks, dropped);
  useStatus(designer, open.length, props.onStatus);
  useProposals(inspection.found ?? designer.found, propose);
  const { ActivityId, Schema } = design;
  useEffect(() => {
    // Inspect the file once for its fidelity report. Calculating that after each change of the marks would take too
    // long.
    if (hadMarks && file && ActivityId === 0) void inspect(file, Schema, fields.region);
  }, [ActivityId, Schema, hadMarks, file, fields.region, inspect]);
  const region = useLast(inspection.found?.Region) ?? design.Region;
  const hasChanges = designer.canUndo || designer.canRedo;
  // Only the editor says what to do about changes that could not be saved.
  if (!isEditing && hasChanges && hasFailed(designer)) setEditing(true);
  const isShown = isEditing || refusals > 0;
  const found = foundNow(inspection.found, designer.found, hasChanges);
  return (
    <>
      {carried.length > 0 && (
        <CarriedList
          designer={designer}
          carried={carried}
          open={open}
          onDrop={(key) => setDropped((before) => new Set(before).add(key))}
        />
      )}
      {isShown ? (
        <DesignerPart
          designer={designer}
          name={fields.Name}
          description={fields.Description}
          region={fields.region}
          onReload={onReload}
          refusals={refusals}
        />
      ) : (
        <WorkbookInspection
          uploadId={inspection.uploadId}
          found={found}
          failure={inspection.failure ?? designer.failure}
          name={fields.Name}
          description={fields.Description}
          marks={designer.marks}
          onMark={(mark) => designer.change(changeMark(designer.marks, keyOfMark(mark), mark))}
        />
      )}
      {ActivityId === 0 && (
        <WorkbookRegionField
          chosen={fields.region}
          onChoose={(chosen) => write({ region: chosen })}
          helper={
            region
              ? regionToChoose(region)
              : t('Choose a region if the file does not specify how its dates and numbers are written.')
          }
          isDisabled={inspection.uploadId !== null}
        />
      )}
      {!isRefused && found && (
        <UploadFindings
          Faults={isShown ? [] : found.Faults}
          Unsupported={found.Unsupported}
          accepted={fields.accepted}
          onAccept={(accepted) => write({ accepted })}
        />
      )}
      <div className="rs-form-actions">
        {!isShown && <Button icon={<Edit />} text={t('Edit inputs and outputs')} onClick={() => setEditing(true)} />}
        <DiscardDesign design={design} onLeave={onLeave} onDeleted={onDeleted} />
      </div>
    </>
  );
}

const hasFailed = ({ saveState }: Pick<Designer, 'saveState'>): boolean =>
  saveState === 'failed' || saveState === 'conflict';

/** The inspection of the file has the fidelity report, but does not know changes of the marks. */
function foundNow(
  inspected: InspectedWorkbook | null,
  saved: InspectedWorkbook | null,
  hasChanges: boolean,
): InspectedWorkbook | null {
  if (!inspected || !saved || !hasChanges) return inspected ?? saved;
  return { ...saved, Fidelity: inspected.Fidelity };
}

/** Returns the last defined value, so a field does not disappear while a new value is being fetched. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

function useStatus(
  { marks, saveState, found, flush }: Designer,
  open: number,
  onStatus: DesignCardProps['onStatus'],
): void {
  const isMarked = marks.length > 0 || (found?.Steps.length ?? 0) > 0;
  const isUnsaved = saveState !== 'saved' && saveState !== 'saving';
  const hasSaveFailed = hasFailed({ saveState });
  useEffect(
    () => onStatus({ isMarked, isUnsaved, hasSaveFailed, undecided: open, flush }),
    [onStatus, isMarked, isUnsaved, hasSaveFailed, open, flush],
  );
  useEffect(() => () => onStatus(null), [onStatus]);
}

/** Passes on the workbook's proposals for the activity's fields, once. */
function useProposals(found: InspectedWorkbook | null, propose: (proposals: Proposals) => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!found || isDone.current) return;
    isDone.current = true;
    propose(found.Proposals);
  }, [found, propose]);
}

/** Leaves the design for another file or none. The marks stay on the server until the author deletes them. */
function DiscardDesign({
  design,
  onLeave,
  onDeleted,
}: { design: Design } & Pick<DesignCardProps, 'onLeave' | 'onDeleted'>) {
  const [isAsking, setAsking] = useState(false);
  const deletion = useMutation({
    mutationFn: () => call(deleteDesign, { params: { id: design.Id } }),
    // The design stays open, because its marks are still stored.
    onError: (error) => showError(said(toFailure(error).message)),
    onSuccess: () => onDeleted(),
    onSettled: () => {
      setAsking(false);
      return queryClient.invalidateQueries({ queryKey: keyOf(designs) });
    },
  });
  return (
    <>
      <Button
        text={design.ActivityId === 0 ? t('Choose another file') : t('Close without publishing')}
        onClick={onLeave}
      />
      <Button variant="minimal" text={t('Discard the marks')} onClick={() => setAsking(true)} />
      <ConfirmDialog
        isOpen={isAsking}
        title={t('Discard the marks of {file}', { file: design.FileName })}
        confirmText={t('Discard')}
        intent="danger"
        isBusy={deletion.isPending}
        onConfirm={() => deletion.mutate()}
        onCancel={() => setAsking(false)}
      >
        {design.ActivityId === 0
          ? t('The uploaded workbook and its marks are deleted.')
          : t('Unpublished marks are deleted. The activity does not change.')}
      </ConfirmDialog>
    </>
  );
}
