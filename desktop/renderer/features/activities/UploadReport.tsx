import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useLocation, useNavigate } from 'react-router-dom';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { FidelityView } from '#renderer/features/versions/FidelityView.tsx';
import { useFidelity } from '#renderer/features/versions/use-fidelity.ts';

interface Uploaded {
  id: number;
  version: number;
}

function readUploaded(state: unknown): Uploaded | null {
  if (typeof state !== 'object' || state === null || !('uploaded' in state)) return null;
  return state.uploaded as Uploaded;
}

/** After an upload: how far the numbers of the new workbook can be trusted, before anybody runs it. */
export function UploadReport() {
  const { state, search } = useLocation();
  const navigate = useNavigate();
  const uploaded = readUploaded(state);
  if (!uploaded) return null;
  const close = (): void => void navigate({ search }, { replace: true, state: null });
  return (
    <Dialog isOpen title="Fidelity Report" className="rs-fidelity-dialog" onClose={close}>
      <DialogBody>
        <Report {...uploaded} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <LinkButton to={`/activities/run/${uploaded.id}/`} text="Run Now" />
            <Button text="Close" intent="primary" onClick={close} />
          </>
        }
      />
    </Dialog>
  );
}

function Report({ id, version }: Uploaded) {
  const { data, error, refetch } = useFidelity(id, version);
  if (data) return <FidelityView report={data} />;
  return error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="grid" />;
}
